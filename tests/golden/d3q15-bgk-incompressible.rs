// d3q15-bgk-incompressible
// Bgk on D3Q15, incompressible equilibrium, no force.
// Operations a node: adds 81, muls 45, divs 0, others 0; 27 adds and muls are fused in fmas.
// At most 24 values live at once.
// h[i] = f_i - w_i is the shifted population that moves with c_i; `site.read(i)` gives it:
//   h[0]: c = [ 0,  0,  0], w = 2/9
//   h[1]: c = [ 1,  0,  0], w = 1/9
//   h[2]: c = [-1,  0,  0], w = 1/9
//   h[3]: c = [ 0,  1,  0], w = 1/9
//   h[4]: c = [ 0, -1,  0], w = 1/9
//   h[5]: c = [ 0,  0,  1], w = 1/9
//   h[6]: c = [ 0,  0, -1], w = 1/9
//   h[7]: c = [ 1,  1,  1], w = 1/72
//   h[8]: c = [-1, -1, -1], w = 1/72
//   h[9]: c = [ 1,  1, -1], w = 1/72
//   h[10]: c = [-1, -1,  1], w = 1/72
//   h[11]: c = [ 1, -1,  1], w = 1/72
//   h[12]: c = [-1,  1, -1], w = 1/72
//   h[13]: c = [ 1, -1, -1], w = 1/72
//   h[14]: c = [-1,  1,  1], w = 1/72
// k[..] are the same for all nodes; `uniforms` computes them once a run.

fn uniforms(parameters: &[f64]) -> [f64; 7] {
    let viscosity: f64 = parameters[0];
    let omega: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    [
        1.0 - omega,
        0.2222222222222222 * omega,
        0.5 * omega,
        0.1111111111111111 * omega,
        0.3333333333333333 * omega,
        0.125 * omega,
        0.041666666666666664 * omega,
    ]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 7]) {
    let [k_0, k_1, k_2, k_3, k_4, k_5, k_6] = *k;
    let delta_rho_part_1 = site.read(0) + site.read(1);
    let delta_rho_part_2 = delta_rho_part_1 + site.read(2);
    let delta_rho_part_3 = delta_rho_part_2 + site.read(3);
    let delta_rho_part_4 = delta_rho_part_3 + site.read(4);
    let delta_rho_part_5 = delta_rho_part_4 + site.read(5);
    let delta_rho_part_6 = delta_rho_part_5 + site.read(6);
    let delta_rho_part_7 = delta_rho_part_6 + site.read(7);
    let delta_rho_part_8 = delta_rho_part_7 + site.read(8);
    let delta_rho_part_9 = delta_rho_part_8 + site.read(9);
    let delta_rho_part_10 = delta_rho_part_9 + site.read(10);
    let delta_rho_part_11 = delta_rho_part_10 + site.read(11);
    let delta_rho_part_12 = delta_rho_part_11 + site.read(12);
    let delta_rho_part_13 = delta_rho_part_12 + site.read(13);
    let delta_rho = delta_rho_part_13 + site.read(14);
    let t_5 = site.read(7) - site.read(8);
    let t_6 = site.read(9) - site.read(10);
    let t_7 = site.read(11) - site.read(12);
    let t_8 = site.read(13) - site.read(14);
    let u_z_part_1 = site.read(5) + t_5;
    let u_z_part_2 = u_z_part_1 + t_7;
    let u_z_part_3 = u_z_part_2 - site.read(6);
    let u_z_part_4 = u_z_part_3 - t_6;
    let u_z = u_z_part_4 - t_8;
    let flux_zz = u_z * u_z;
    let t_15 = t_5 + t_6;
    let t_16 = t_7 + t_8;
    let u_x_part_1 = site.read(1) + t_15;
    let u_x_part_2 = u_x_part_1 + t_16;
    let u_x = u_x_part_2 - site.read(2);
    let flux_xx = u_x * u_x;
    let u_y_part_1 = site.read(3) + t_15;
    let u_y_part_2 = u_y_part_1 - site.read(4);
    let u_y = u_y_part_2 - t_16;
    let flux_yy = u_y * u_y;
    let t_2 = flux_xx + flux_yy;
    let flux_trace = flux_zz + t_2;
    let t_1 = V::constant(-1.5).mul_add(flux_trace, delta_rho);
    let post_0_part_1 = k_0 * site.read(0);
    let post_0 = k_1.mul_add(t_1, post_0_part_1);
    site.write(0, post_0);
    let even_0_part_1 = k_2 * flux_xx;
    let even_0 = k_3.mul_add(t_1, even_0_part_1);
    let post_1_part_1 = k_0.mul_add(site.read(1), even_0);
    let post_1 = k_4.mul_add(u_x, post_1_part_1);
    site.write(1, post_1);
    let post_2_part_1 = k_0.mul_add(site.read(2), even_0);
    let post_2 = (-k_4).mul_add(u_x, post_2_part_1);
    site.write(2, post_2);
    let even_1_part_1 = k_2 * flux_yy;
    let even_1 = k_3.mul_add(t_1, even_1_part_1);
    let post_3_part_1 = k_0.mul_add(site.read(3), even_1);
    let post_3 = k_4.mul_add(u_y, post_3_part_1);
    site.write(3, post_3);
    let post_4_part_1 = k_0.mul_add(site.read(4), even_1);
    let post_4 = (-k_4).mul_add(u_y, post_4_part_1);
    site.write(4, post_4);
    let t_3 = V::constant(0.2222222222222222).mul_add(t_1, flux_zz);
    let even_2 = k_2 * t_3;
    let post_5_part_1 = k_0.mul_add(site.read(5), even_2);
    let post_5 = k_4.mul_add(u_z, post_5_part_1);
    site.write(5, post_5);
    let post_6_part_1 = k_0.mul_add(site.read(6), even_2);
    let post_6 = (-k_4).mul_add(u_z, post_6_part_1);
    site.write(6, post_6);
    let flux_xy = u_x * u_y;
    let flux_xz = u_x * u_z;
    let t_11 = flux_xy + flux_xz;
    let flux_yz = u_y * u_z;
    let t_4 = t_2 + t_3;
    let t_13 = V::constant(0.5).mul_add(t_4, flux_yz);
    let t_21 = t_11 + t_13;
    let even_3 = k_5 * t_21;
    let t_9 = u_x + u_y;
    let t_17 = u_z + t_9;
    let odd_3 = k_6 * t_17;
    let post_7_part_1 = even_3 + odd_3;
    let post_7 = k_0.mul_add(site.read(7), post_7_part_1);
    site.write(7, post_7);
    let post_8_part_1 = even_3 - odd_3;
    let post_8 = k_0.mul_add(site.read(8), post_8_part_1);
    site.write(8, post_8);
    let t_12 = flux_xy - flux_xz;
    let t_14 = V::constant(-0.5).mul_add(t_4, flux_yz);
    let t_24 = t_12 - t_14;
    let even_4 = k_5 * t_24;
    let t_18 = u_z - t_9;
    let odd_4 = -k_6 * t_18;
    let post_9_part_1 = even_4 + odd_4;
    let post_9 = k_0.mul_add(site.read(9), post_9_part_1);
    site.write(9, post_9);
    let post_10_part_1 = even_4 - odd_4;
    let post_10 = k_0.mul_add(site.read(10), post_10_part_1);
    site.write(10, post_10);
    let t_23 = t_12 + t_14;
    let even_5 = -k_5 * t_23;
    let t_10 = u_x - u_y;
    let t_19 = u_z + t_10;
    let odd_5 = k_6 * t_19;
    let post_11_part_1 = even_5 + odd_5;
    let post_11 = k_0.mul_add(site.read(11), post_11_part_1);
    site.write(11, post_11);
    let post_12_part_1 = even_5 - odd_5;
    let post_12 = k_0.mul_add(site.read(12), post_12_part_1);
    site.write(12, post_12);
    let t_22 = t_11 - t_13;
    let even_6 = -k_5 * t_22;
    let t_20 = u_z - t_10;
    let odd_6 = -k_6 * t_20;
    let post_13_part_1 = even_6 + odd_6;
    let post_13 = k_0.mul_add(site.read(13), post_13_part_1);
    site.write(13, post_13);
    let post_14_part_1 = even_6 - odd_6;
    let post_14 = k_0.mul_add(site.read(14), post_14_part_1);
    site.write(14, post_14);
}

#[inline(always)]
fn macroscopic<V: ::lbm::core::Lanes<Scalar = f64>>(h: &[V], force: [V; 3]) -> [V; 4] {
    let input = force;
    let _ = input;
    let rho_part_1 = V::constant(1.0) + h[0];
    let rho_part_2 = rho_part_1 + h[1];
    let rho_part_3 = rho_part_2 + h[2];
    let rho_part_4 = rho_part_3 + h[3];
    let rho_part_5 = rho_part_4 + h[4];
    let rho_part_6 = rho_part_5 + h[5];
    let rho_part_7 = rho_part_6 + h[6];
    let rho_part_8 = rho_part_7 + h[7];
    let rho_part_9 = rho_part_8 + h[8];
    let t_1 = h[7] - h[8];
    let u_z_part_1 = h[5] + t_1;
    let rho_part_10 = rho_part_9 + h[9];
    let rho_part_11 = rho_part_10 + h[10];
    let t_2 = h[9] - h[10];
    let t_5 = t_1 + t_2;
    let u_x_part_1 = h[1] + t_5;
    let u_y_part_1 = h[3] + t_5;
    let u_y_part_2 = u_y_part_1 - h[4];
    let rho_part_12 = rho_part_11 + h[11];
    let rho_part_13 = rho_part_12 + h[12];
    let t_3 = h[11] - h[12];
    let u_z_part_2 = u_z_part_1 + t_3;
    let u_z_part_3 = u_z_part_2 - h[6];
    let u_z_part_4 = u_z_part_3 - t_2;
    let rho_part_14 = rho_part_13 + h[13];
    let rho = rho_part_14 + h[14];
    let t_4 = h[13] - h[14];
    let u_z = u_z_part_4 - t_4;
    let t_6 = t_3 + t_4;
    let u_y = u_y_part_2 - t_6;
    let u_x_part_2 = u_x_part_1 + t_6;
    let u_x = u_x_part_2 - h[2];
    [rho, u_x, u_y, u_z]
}

fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]) {
    use ::lbm::core::Lanes as _;
    type V = f64;
    let input = [rho, u[0], u[1], u[2]];
    let _ = V::default();
    let flux_xx = input[1] * input[1];
    let flux_yy = input[2] * input[2];
    let flux_zz = input[3] * input[3];
    let t_4 = flux_yy + flux_zz;
    let flux_trace = flux_xx + t_4;
    let t_1 = V::constant(1.0) - input[0];
    let t_2 = V::constant(0.6666666666666666).mul_add(t_1, flux_trace);
    let h_0_eq = V::constant(-0.3333333333333333) * t_2;
    let t_3 = V::constant(-0.3333333333333333).mul_add(t_2, flux_xx);
    let h_1_eq_part_1 = V::constant(0.3333333333333333) * input[1];
    let h_1_eq = V::constant(0.5).mul_add(t_3, h_1_eq_part_1);
    let h_2_eq_part_1 = V::constant(-0.3333333333333333) * input[1];
    let h_2_eq = V::constant(0.5).mul_add(t_3, h_2_eq_part_1);
    let t_12 = V::constant(-0.3333333333333333).mul_add(t_2, flux_yy);
    let h_3_eq_part_1 = V::constant(0.3333333333333333) * input[2];
    let h_3_eq = V::constant(0.5).mul_add(t_12, h_3_eq_part_1);
    let h_4_eq_part_1 = V::constant(-0.3333333333333333) * input[2];
    let h_4_eq = V::constant(0.5).mul_add(t_12, h_4_eq_part_1);
    let t_13 = V::constant(-0.3333333333333333).mul_add(t_2, flux_zz);
    let h_5_eq_part_1 = V::constant(0.3333333333333333) * input[3];
    let h_5_eq = V::constant(0.5).mul_add(t_13, h_5_eq_part_1);
    let h_6_eq_part_1 = V::constant(-0.3333333333333333) * input[3];
    let h_6_eq = V::constant(0.5).mul_add(t_13, h_6_eq_part_1);
    let flux_xy = input[1] * input[2];
    let flux_xz = input[1] * input[3];
    let t_8 = flux_xy + flux_xz;
    let flux_yz = input[2] * input[3];
    let t_11 = V::constant(3.0).mul_add(flux_yz, input[3]);
    let t_5 = t_3 + t_4;
    let t_6 = input[1] + input[2];
    let t_14 = V::constant(0.6666666666666666).mul_add(t_6, t_5);
    let h_7_eq_part_1 = V::constant(0.125) * t_8;
    let h_7_eq_part_2 = V::constant(0.041666666666666664).mul_add(t_11, h_7_eq_part_1);
    let h_7_eq = V::constant(0.0625).mul_add(t_14, h_7_eq_part_2);
    let t_10 = V::constant(-3.0).mul_add(flux_yz, input[3]);
    let t_15 = V::constant(-0.6666666666666666).mul_add(t_6, t_5);
    let h_8_eq_part_1 = V::constant(0.125) * t_8;
    let h_8_eq_part_2 = V::constant(-0.041666666666666664).mul_add(t_10, h_8_eq_part_1);
    let h_8_eq = V::constant(0.0625).mul_add(t_15, h_8_eq_part_2);
    let t_9 = flux_xy - flux_xz;
    let h_9_eq_part_1 = V::constant(0.125) * t_9;
    let h_9_eq_part_2 = V::constant(-0.041666666666666664).mul_add(t_11, h_9_eq_part_1);
    let h_9_eq = V::constant(0.0625).mul_add(t_14, h_9_eq_part_2);
    let h_10_eq_part_1 = V::constant(0.125) * t_9;
    let h_10_eq_part_2 = V::constant(0.041666666666666664).mul_add(t_10, h_10_eq_part_1);
    let h_10_eq = V::constant(0.0625).mul_add(t_15, h_10_eq_part_2);
    let t_7 = input[1] - input[2];
    let t_16 = V::constant(0.6666666666666666).mul_add(t_7, t_5);
    let h_11_eq_part_1 = V::constant(-0.125) * t_9;
    let h_11_eq_part_2 = V::constant(0.041666666666666664).mul_add(t_10, h_11_eq_part_1);
    let h_11_eq = V::constant(0.0625).mul_add(t_16, h_11_eq_part_2);
    let t_17 = V::constant(-0.6666666666666666).mul_add(t_7, t_5);
    let h_12_eq_part_1 = V::constant(-0.125) * t_9;
    let h_12_eq_part_2 = V::constant(-0.041666666666666664)
        .mul_add(t_11, h_12_eq_part_1);
    let h_12_eq = V::constant(0.0625).mul_add(t_17, h_12_eq_part_2);
    let h_13_eq_part_1 = V::constant(-0.125) * t_8;
    let h_13_eq_part_2 = V::constant(-0.041666666666666664)
        .mul_add(t_10, h_13_eq_part_1);
    let h_13_eq = V::constant(0.0625).mul_add(t_16, h_13_eq_part_2);
    let h_14_eq_part_1 = V::constant(-0.125) * t_8;
    let h_14_eq_part_2 = V::constant(0.041666666666666664).mul_add(t_11, h_14_eq_part_1);
    let h_14_eq = V::constant(0.0625).mul_add(t_17, h_14_eq_part_2);
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
}
