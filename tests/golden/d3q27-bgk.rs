// d3q27-bgk
// Bgk on D3Q27, quasi-compressible equilibrium, no force.
// Operations a node: adds 140, muls 79, divs 1, others 0; 46 adds and muls are fused in fmas.
// At most 40 values live at once.
// h[i] = f_i - w_i is the shifted population that moves with c_i; `site.read(i)` gives it:
//   h[0]: c = [ 0,  0,  0], w = 8/27
//   h[1]: c = [ 1,  0,  0], w = 2/27
//   h[2]: c = [-1,  0,  0], w = 2/27
//   h[3]: c = [ 0,  1,  0], w = 2/27
//   h[4]: c = [ 0, -1,  0], w = 2/27
//   h[5]: c = [ 0,  0,  1], w = 2/27
//   h[6]: c = [ 0,  0, -1], w = 2/27
//   h[7]: c = [ 1,  1,  0], w = 1/54
//   h[8]: c = [-1, -1,  0], w = 1/54
//   h[9]: c = [ 1,  0,  1], w = 1/54
//   h[10]: c = [-1,  0, -1], w = 1/54
//   h[11]: c = [ 1,  0, -1], w = 1/54
//   h[12]: c = [-1,  0,  1], w = 1/54
//   h[13]: c = [ 1, -1,  0], w = 1/54
//   h[14]: c = [-1,  1,  0], w = 1/54
//   h[15]: c = [ 0,  1,  1], w = 1/54
//   h[16]: c = [ 0, -1, -1], w = 1/54
//   h[17]: c = [ 0,  1, -1], w = 1/54
//   h[18]: c = [ 0, -1,  1], w = 1/54
//   h[19]: c = [ 1,  1,  1], w = 1/216
//   h[20]: c = [-1, -1, -1], w = 1/216
//   h[21]: c = [ 1,  1, -1], w = 1/216
//   h[22]: c = [-1, -1,  1], w = 1/216
//   h[23]: c = [ 1, -1,  1], w = 1/216
//   h[24]: c = [-1,  1, -1], w = 1/216
//   h[25]: c = [ 1, -1, -1], w = 1/216
//   h[26]: c = [-1,  1,  1], w = 1/216
// k[..] are the same for all nodes; `uniforms` computes them once a run.

fn uniforms(parameters: &[f64]) -> [f64; 11] {
    let viscosity: f64 = parameters[0];
    let omega: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    [
        1.0 - omega,
        0.2962962962962963 * omega,
        0.3333333333333333 * omega,
        0.2222222222222222 * omega,
        0.07407407407407407 * omega,
        0.16666666666666666 * omega,
        0.08333333333333333 * omega,
        0.05555555555555555 * omega,
        0.018518518518518517 * omega,
        0.041666666666666664 * omega,
        0.013888888888888888 * omega,
    ]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 11]) {
    let [k_0, k_1, k_2, k_3, k_4, k_5, k_6, k_7, k_8, k_9, k_10] = *k;
    let post_0_part_1 = k_0 * site.read(0);
    let t_9 = site.read(9) + site.read(23);
    let delta_rho_part_1 = site.read(0) + t_9;
    let t_10 = site.read(10) + site.read(24);
    let delta_rho_part_2 = delta_rho_part_1 + t_10;
    let t_28 = t_9 - t_10;
    let t_11 = site.read(11) + site.read(21);
    let delta_rho_part_3 = delta_rho_part_2 + t_11;
    let j_y_part_1 = site.read(17) + site.read(21);
    let j_y_part_2 = j_y_part_1 + site.read(24);
    let t_27 = site.read(6) + site.read(17);
    let t_12 = site.read(12) + site.read(22);
    let delta_rho_part_4 = delta_rho_part_3 + t_12;
    let t_29 = t_11 - t_12;
    let t_13 = site.read(13) + site.read(25);
    let delta_rho_part_5 = delta_rho_part_4 + t_13;
    let t_14 = site.read(14) + site.read(26);
    let delta_rho_part_6 = delta_rho_part_5 + t_14;
    let t_30 = t_13 - t_14;
    let t_7 = site.read(7) + site.read(19);
    let j_y_part_3 = j_y_part_2 + t_7;
    let t_22 = site.read(1) + t_7;
    let delta_rho_part_7 = delta_rho_part_6 + t_22;
    let j_x_part_1 = t_22 + t_28;
    let j_x_part_2 = j_x_part_1 + t_29;
    let j_x_part_3 = j_x_part_2 + t_30;
    let j_z_part_1 = site.read(15) + site.read(19);
    let j_z_part_2 = j_z_part_1 + site.read(26);
    let t_24 = site.read(3) + site.read(15);
    let j_y_part_4 = j_y_part_3 + t_24;
    let j_y_part_5 = j_y_part_4 - site.read(18);
    let j_y_part_6 = j_y_part_5 - site.read(22);
    let j_y_part_7 = j_y_part_6 - site.read(23);
    let t_26 = site.read(5) + site.read(18);
    let j_z_part_3 = j_z_part_2 + t_26;
    let j_z_part_4 = j_z_part_3 + t_28;
    let j_z_part_5 = j_z_part_4 - site.read(16);
    let j_z_part_6 = j_z_part_5 - site.read(20);
    let j_z_part_7 = j_z_part_6 - site.read(25);
    let j_z_part_8 = j_z_part_7 - t_27;
    let j_z = j_z_part_8 - t_29;
    let t_8 = site.read(8) + site.read(20);
    let j_y_part_8 = j_y_part_7 - t_8;
    let t_23 = site.read(2) + t_8;
    let delta_rho_part_8 = delta_rho_part_7 + t_23;
    let delta_rho_part_9 = delta_rho_part_8 + t_24;
    let j_x = j_x_part_3 - t_23;
    let t_31 = j_x + j_z;
    let odd_4 = k_7 * t_31;
    let t_32 = j_x - j_z;
    let odd_5 = k_7 * t_32;
    let t_25 = site.read(4) + site.read(16);
    let delta_rho_part_10 = delta_rho_part_9 + t_25;
    let delta_rho_part_11 = delta_rho_part_10 + t_26;
    let delta_rho = delta_rho_part_11 + t_27;
    let j_y_part_9 = j_y_part_8 - t_25;
    let j_y = j_y_part_9 - t_30;
    let rho = V::constant(1.0) + delta_rho;
    let inverse_rho = V::constant(1.0) / rho;
    let u_x = j_x * inverse_rho;
    let flux_xx = j_x * u_x;
    let u_y = j_y * inverse_rho;
    let u_z = j_z * inverse_rho;
    let flux_yy = j_y * u_y;
    let flux_xy = j_x * u_y;
    let flux_zz = j_z * u_z;
    let t_3 = flux_yy + flux_zz;
    let flux_trace = flux_xx + t_3;
    let t_1 = V::constant(-1.5).mul_add(flux_trace, delta_rho);
    let post_0 = k_1.mul_add(t_1, post_0_part_1);
    site.write(0, post_0);
    let t_2 = V::constant(0.2222222222222222).mul_add(t_1, flux_xx);
    let even_0 = k_2 * t_2;
    let post_1_part_1 = k_0.mul_add(site.read(1), even_0);
    let post_1 = k_3.mul_add(j_x, post_1_part_1);
    site.write(1, post_1);
    let post_2_part_1 = k_0.mul_add(site.read(2), even_0);
    let post_2 = (-k_3).mul_add(j_x, post_2_part_1);
    site.write(2, post_2);
    let even_1_part_1 = k_2 * flux_yy;
    let even_1 = k_4.mul_add(t_1, even_1_part_1);
    let post_3_part_1 = k_0.mul_add(site.read(3), even_1);
    let post_3 = k_3.mul_add(j_y, post_3_part_1);
    site.write(3, post_3);
    let post_4_part_1 = k_0.mul_add(site.read(4), even_1);
    let post_4 = (-k_3).mul_add(j_y, post_4_part_1);
    site.write(4, post_4);
    let t_15 = flux_yy + t_2;
    let even_2_part_1 = k_2 * flux_zz;
    let even_2 = k_4.mul_add(t_1, even_2_part_1);
    let post_5_part_1 = k_0.mul_add(site.read(5), even_2);
    let post_5 = k_3.mul_add(j_z, post_5_part_1);
    site.write(5, post_5);
    let post_6_part_1 = k_0.mul_add(site.read(6), even_2);
    let post_6 = (-k_3).mul_add(j_z, post_6_part_1);
    site.write(6, post_6);
    let t_16 = flux_zz + t_2;
    let t_21 = V::constant(4.5).mul_add(t_3, t_1);
    let t_4 = t_2 + t_3;
    let even_3_part_1 = k_5 * flux_xy;
    let even_3 = k_6.mul_add(t_15, even_3_part_1);
    let t_5 = j_x + j_y;
    let odd_3 = k_7 * t_5;
    let post_7_part_1 = even_3 + odd_3;
    let post_7 = k_0.mul_add(site.read(7), post_7_part_1);
    site.write(7, post_7);
    let post_8_part_1 = even_3 - odd_3;
    let post_8 = k_0.mul_add(site.read(8), post_8_part_1);
    site.write(8, post_8);
    let flux_xz = j_x * u_z;
    let t_6 = j_x - j_y;
    let flux_yz = j_y * u_z;
    let even_4_part_1 = k_5 * flux_xz;
    let even_4 = k_6.mul_add(t_16, even_4_part_1);
    let post_9_part_1 = even_4 + odd_4;
    let post_9 = k_0.mul_add(site.read(9), post_9_part_1);
    site.write(9, post_9);
    let post_10_part_1 = even_4 - odd_4;
    let post_10 = k_0.mul_add(site.read(10), post_10_part_1);
    site.write(10, post_10);
    let even_5_part_1 = -k_5 * flux_xz;
    let even_5 = k_6.mul_add(t_16, even_5_part_1);
    let post_11_part_1 = even_5 + odd_5;
    let post_11 = k_0.mul_add(site.read(11), post_11_part_1);
    site.write(11, post_11);
    let post_12_part_1 = even_5 - odd_5;
    let post_12 = k_0.mul_add(site.read(12), post_12_part_1);
    site.write(12, post_12);
    let even_6_part_1 = -k_5 * flux_xy;
    let even_6 = k_6.mul_add(t_15, even_6_part_1);
    let odd_6 = k_7 * t_6;
    let post_13_part_1 = even_6 + odd_6;
    let post_13 = k_0.mul_add(site.read(13), post_13_part_1);
    site.write(13, post_13);
    let post_14_part_1 = even_6 - odd_6;
    let post_14 = k_0.mul_add(site.read(14), post_14_part_1);
    site.write(14, post_14);
    let even_7_part_1 = k_5 * flux_yz;
    let even_7 = k_8.mul_add(t_21, even_7_part_1);
    let t_33 = j_y + j_z;
    let odd_7 = k_7 * t_33;
    let t_34 = j_y - j_z;
    let odd_8 = k_7 * t_34;
    let post_15_part_1 = even_7 + odd_7;
    let post_15 = k_0.mul_add(site.read(15), post_15_part_1);
    site.write(15, post_15);
    let post_16_part_1 = even_7 - odd_7;
    let post_16 = k_0.mul_add(site.read(16), post_16_part_1);
    site.write(16, post_16);
    let even_8_part_1 = -k_5 * flux_yz;
    let even_8 = k_8.mul_add(t_21, even_8_part_1);
    let post_17_part_1 = even_8 + odd_8;
    let post_17 = k_0.mul_add(site.read(17), post_17_part_1);
    site.write(17, post_17);
    let post_18_part_1 = even_8 - odd_8;
    let post_18 = k_0.mul_add(site.read(18), post_18_part_1);
    site.write(18, post_18);
    let t_17 = flux_xy + flux_xz;
    let t_18 = flux_xy - flux_xz;
    let t_19 = V::constant(0.5).mul_add(t_4, flux_yz);
    let t_20 = V::constant(-0.5).mul_add(t_4, flux_yz);
    let t_39 = t_17 + t_19;
    let t_40 = t_17 - t_19;
    let even_9 = k_9 * t_39;
    let even_12 = -k_9 * t_40;
    let t_35 = j_z + t_5;
    let odd_9 = k_10 * t_35;
    let t_36 = j_z - t_5;
    let odd_10 = -k_10 * t_36;
    let post_19_part_1 = even_9 + odd_9;
    let post_19 = k_0.mul_add(site.read(19), post_19_part_1);
    site.write(19, post_19);
    let post_20_part_1 = even_9 - odd_9;
    let post_20 = k_0.mul_add(site.read(20), post_20_part_1);
    site.write(20, post_20);
    let t_42 = t_18 - t_20;
    let t_41 = t_18 + t_20;
    let even_10 = k_9 * t_42;
    let even_11 = -k_9 * t_41;
    let post_21_part_1 = even_10 + odd_10;
    let post_21 = k_0.mul_add(site.read(21), post_21_part_1);
    site.write(21, post_21);
    let post_22_part_1 = even_10 - odd_10;
    let post_22 = k_0.mul_add(site.read(22), post_22_part_1);
    site.write(22, post_22);
    let t_37 = j_z + t_6;
    let t_38 = j_z - t_6;
    let odd_11 = k_10 * t_37;
    let odd_12 = -k_10 * t_38;
    let post_23_part_1 = even_11 + odd_11;
    let post_23 = k_0.mul_add(site.read(23), post_23_part_1);
    site.write(23, post_23);
    let post_24_part_1 = even_11 - odd_11;
    let post_24 = k_0.mul_add(site.read(24), post_24_part_1);
    site.write(24, post_24);
    let post_25_part_1 = even_12 + odd_12;
    let post_25 = k_0.mul_add(site.read(25), post_25_part_1);
    site.write(25, post_25);
    let post_26_part_1 = even_12 - odd_12;
    let post_26 = k_0.mul_add(site.read(26), post_26_part_1);
    site.write(26, post_26);
}

#[inline(always)]
fn macroscopic<V: ::lbm::core::Lanes<Scalar = f64>>(h: &[V], force: [V; 3]) -> [V; 4] {
    let input = force;
    let _ = input;
    let t_3 = h[9] + h[23];
    let delta_rho_part_1 = h[0] + t_3;
    let t_4 = h[10] + h[24];
    let delta_rho_part_2 = delta_rho_part_1 + t_4;
    let t_15 = t_3 - t_4;
    let t_5 = h[11] + h[21];
    let delta_rho_part_3 = delta_rho_part_2 + t_5;
    let j_y_part_1 = h[17] + h[21];
    let j_y_part_2 = j_y_part_1 + h[24];
    let t_14 = h[6] + h[17];
    let t_6 = h[12] + h[22];
    let delta_rho_part_4 = delta_rho_part_3 + t_6;
    let t_16 = t_5 - t_6;
    let t_7 = h[13] + h[25];
    let delta_rho_part_5 = delta_rho_part_4 + t_7;
    let t_8 = h[14] + h[26];
    let delta_rho_part_6 = delta_rho_part_5 + t_8;
    let t_17 = t_7 - t_8;
    let t_1 = h[7] + h[19];
    let j_y_part_3 = j_y_part_2 + t_1;
    let t_9 = h[1] + t_1;
    let delta_rho_part_7 = delta_rho_part_6 + t_9;
    let j_x_part_1 = t_9 + t_15;
    let j_x_part_2 = j_x_part_1 + t_16;
    let j_x_part_3 = j_x_part_2 + t_17;
    let j_z_part_1 = h[15] + h[19];
    let j_z_part_2 = j_z_part_1 + h[26];
    let t_11 = h[3] + h[15];
    let j_y_part_4 = j_y_part_3 + t_11;
    let j_y_part_5 = j_y_part_4 - h[18];
    let j_y_part_6 = j_y_part_5 - h[22];
    let j_y_part_7 = j_y_part_6 - h[23];
    let t_13 = h[5] + h[18];
    let j_z_part_3 = j_z_part_2 + t_13;
    let j_z_part_4 = j_z_part_3 + t_15;
    let j_z_part_5 = j_z_part_4 - h[16];
    let t_12 = h[4] + h[16];
    let j_z_part_6 = j_z_part_5 - h[20];
    let j_z_part_7 = j_z_part_6 - h[25];
    let t_2 = h[8] + h[20];
    let j_y_part_8 = j_y_part_7 - t_2;
    let t_10 = h[2] + t_2;
    let delta_rho_part_8 = delta_rho_part_7 + t_10;
    let delta_rho_part_9 = delta_rho_part_8 + t_11;
    let j_x = j_x_part_3 - t_10;
    let delta_rho_part_10 = delta_rho_part_9 + t_12;
    let delta_rho_part_11 = delta_rho_part_10 + t_13;
    let j_y_part_9 = j_y_part_8 - t_12;
    let j_y = j_y_part_9 - t_17;
    let delta_rho = delta_rho_part_11 + t_14;
    let j_z_part_8 = j_z_part_7 - t_14;
    let j_z = j_z_part_8 - t_16;
    let rho = V::constant(1.0) + delta_rho;
    let inverse_rho = V::constant(1.0) / rho;
    let j_x_inverse_rho = j_x * inverse_rho;
    let j_y_inverse_rho = j_y * inverse_rho;
    let j_z_inverse_rho = j_z * inverse_rho;
    [rho, j_x_inverse_rho, j_y_inverse_rho, j_z_inverse_rho]
}

fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]) {
    use ::lbm::core::Lanes as _;
    type V = f64;
    let input = [rho, u[0], u[1], u[2]];
    let _ = V::default();
    let j_x = input[0] * input[1];
    let flux_xx = input[1] * j_x;
    let j_y = input[0] * input[2];
    let flux_yy = input[2] * j_y;
    let j_z = input[0] * input[3];
    let flux_zz = input[3] * j_z;
    let t_4 = flux_yy + flux_zz;
    let flux_trace = flux_xx + t_4;
    let t_1 = V::constant(1.0) - input[0];
    let t_2 = V::constant(0.6666666666666666).mul_add(t_1, flux_trace);
    let h_0_eq = V::constant(-0.4444444444444444) * t_2;
    let t_3 = V::constant(-0.3333333333333333).mul_add(t_2, flux_xx);
    let t_5 = V::constant(1.5).mul_add(t_3, j_x);
    let h_1_eq = V::constant(0.2222222222222222) * t_5;
    let t_6 = V::constant(-1.5).mul_add(t_3, j_x);
    let h_2_eq = V::constant(-0.2222222222222222) * t_6;
    let t_13 = V::constant(1.5).mul_add(flux_yy, j_y);
    let h_3_eq_part_1 = V::constant(-0.1111111111111111) * t_2;
    let h_3_eq = V::constant(0.2222222222222222).mul_add(t_13, h_3_eq_part_1);
    let t_14 = V::constant(-1.5).mul_add(flux_yy, j_y);
    let h_4_eq_part_1 = V::constant(-0.1111111111111111) * t_2;
    let h_4_eq = V::constant(-0.2222222222222222).mul_add(t_14, h_4_eq_part_1);
    let t_15 = V::constant(1.5).mul_add(flux_zz, j_z);
    let h_5_eq_part_1 = V::constant(-0.1111111111111111) * t_2;
    let h_5_eq = V::constant(0.2222222222222222).mul_add(t_15, h_5_eq_part_1);
    let t_16 = V::constant(-1.5).mul_add(flux_zz, j_z);
    let h_6_eq_part_1 = V::constant(-0.1111111111111111) * t_2;
    let h_6_eq = V::constant(-0.2222222222222222).mul_add(t_16, h_6_eq_part_1);
    let flux_xy = input[2] * j_x;
    let t_21 = t_5 + t_13;
    let h_7_eq_part_1 = V::constant(0.16666666666666666) * flux_xy;
    let h_7_eq = V::constant(0.05555555555555555).mul_add(t_21, h_7_eq_part_1);
    let t_30 = t_6 + t_14;
    let h_8_eq_part_1 = V::constant(0.16666666666666666) * flux_xy;
    let h_8_eq = V::constant(-0.05555555555555555).mul_add(t_30, h_8_eq_part_1);
    let flux_xz = input[3] * j_x;
    let t_23 = t_5 + t_15;
    let h_9_eq_part_1 = V::constant(0.16666666666666666) * flux_xz;
    let h_9_eq = V::constant(0.05555555555555555).mul_add(t_23, h_9_eq_part_1);
    let t_32 = t_6 + t_16;
    let h_10_eq_part_1 = V::constant(0.16666666666666666) * flux_xz;
    let h_10_eq = V::constant(-0.05555555555555555).mul_add(t_32, h_10_eq_part_1);
    let t_24 = t_5 - t_16;
    let h_11_eq_part_1 = V::constant(-0.16666666666666666) * flux_xz;
    let h_11_eq = V::constant(0.05555555555555555).mul_add(t_24, h_11_eq_part_1);
    let t_31 = t_6 - t_15;
    let h_12_eq_part_1 = V::constant(-0.16666666666666666) * flux_xz;
    let h_12_eq = V::constant(-0.05555555555555555).mul_add(t_31, h_12_eq_part_1);
    let t_22 = t_5 - t_14;
    let h_13_eq_part_1 = V::constant(-0.16666666666666666) * flux_xy;
    let h_13_eq = V::constant(0.05555555555555555).mul_add(t_22, h_13_eq_part_1);
    let t_29 = t_6 - t_13;
    let h_14_eq_part_1 = V::constant(-0.16666666666666666) * flux_xy;
    let h_14_eq = V::constant(-0.05555555555555555).mul_add(t_29, h_14_eq_part_1);
    let t_7 = j_y + j_z;
    let flux_yz = input[3] * j_y;
    let t_10 = V::constant(0.5).mul_add(t_4, flux_yz);
    let t_18 = V::constant(3.0).mul_add(t_10, t_7);
    let h_15_eq_part_1 = V::constant(-0.027777777777777776) * t_2;
    let h_15_eq = V::constant(0.05555555555555555).mul_add(t_18, h_15_eq_part_1);
    let t_17 = V::constant(-3.0).mul_add(t_10, t_7);
    let h_16_eq_part_1 = V::constant(-0.027777777777777776) * t_2;
    let h_16_eq = V::constant(-0.05555555555555555).mul_add(t_17, h_16_eq_part_1);
    let t_8 = j_y - j_z;
    let t_9 = V::constant(-0.5).mul_add(t_4, flux_yz);
    let t_19 = V::constant(-3.0).mul_add(t_9, t_8);
    let h_17_eq_part_1 = V::constant(-0.027777777777777776) * t_2;
    let h_17_eq = V::constant(0.05555555555555555).mul_add(t_19, h_17_eq_part_1);
    let t_20 = V::constant(3.0).mul_add(t_9, t_8);
    let h_18_eq_part_1 = V::constant(-0.027777777777777776) * t_2;
    let h_18_eq = V::constant(-0.05555555555555555).mul_add(t_20, h_18_eq_part_1);
    let t_11 = flux_xy + flux_xz;
    let t_26 = t_5 + t_18;
    let h_19_eq_part_1 = V::constant(0.041666666666666664) * t_11;
    let h_19_eq = V::constant(0.013888888888888888).mul_add(t_26, h_19_eq_part_1);
    let t_33 = t_6 + t_17;
    let h_20_eq_part_1 = V::constant(0.041666666666666664) * t_11;
    let h_20_eq = V::constant(-0.013888888888888888).mul_add(t_33, h_20_eq_part_1);
    let t_12 = flux_xy - flux_xz;
    let t_27 = t_5 + t_19;
    let h_21_eq_part_1 = V::constant(0.041666666666666664) * t_12;
    let h_21_eq = V::constant(0.013888888888888888).mul_add(t_27, h_21_eq_part_1);
    let t_36 = t_6 + t_20;
    let h_22_eq_part_1 = V::constant(0.041666666666666664) * t_12;
    let h_22_eq = V::constant(-0.013888888888888888).mul_add(t_36, h_22_eq_part_1);
    let t_28 = t_5 - t_20;
    let h_23_eq_part_1 = V::constant(-0.041666666666666664) * t_12;
    let h_23_eq = V::constant(0.013888888888888888).mul_add(t_28, h_23_eq_part_1);
    let t_35 = t_6 - t_19;
    let h_24_eq_part_1 = V::constant(-0.041666666666666664) * t_12;
    let h_24_eq = V::constant(-0.013888888888888888).mul_add(t_35, h_24_eq_part_1);
    let t_25 = t_5 - t_17;
    let h_25_eq_part_1 = V::constant(-0.041666666666666664) * t_11;
    let h_25_eq = V::constant(0.013888888888888888).mul_add(t_25, h_25_eq_part_1);
    let t_34 = t_6 - t_18;
    let h_26_eq_part_1 = V::constant(-0.041666666666666664) * t_11;
    let h_26_eq = V::constant(-0.013888888888888888).mul_add(t_34, h_26_eq_part_1);
    h[0] = h_0_eq;
    h[1] = h_1_eq;
    h[2] = h_2_eq;
    h[3] = h_3_eq;
    h[4] = h_4_eq;
    h[5] = h_5_eq;
    h[6] = h_6_eq;
    h[7] = h_7_eq;
    h[8] = h_8_eq;
    h[9] = h_9_eq;
    h[10] = h_10_eq;
    h[11] = h_11_eq;
    h[12] = h_12_eq;
    h[13] = h_13_eq;
    h[14] = h_14_eq;
    h[15] = h_15_eq;
    h[16] = h_16_eq;
    h[17] = h_17_eq;
    h[18] = h_18_eq;
    h[19] = h_19_eq;
    h[20] = h_20_eq;
    h[21] = h_21_eq;
    h[22] = h_22_eq;
    h[23] = h_23_eq;
    h[24] = h_24_eq;
    h[25] = h_25_eq;
    h[26] = h_26_eq;
}
