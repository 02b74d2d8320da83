// d3q15-mrt-incompressible
// Mrt on D3Q15, incompressible equilibrium, no force.
// Operations a node: adds 98, muls 63, divs 0, others 0; 31 adds and muls are fused in fmas.
// At most 22 values live at once.
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

fn uniforms(parameters: &[f64]) -> [f64; 9] {
    let rates_xx_trace: f64 = parameters[1];
    let rates_xxxx_trace: f64 = parameters[6];
    let viscosity: f64 = parameters[0];
    let omega: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    let rates_xxx_trace: f64 = parameters[2];
    let rates_xxy_trace: f64 = parameters[3];
    let rates_xxz_trace: f64 = parameters[4];
    let rates_xyz: f64 = parameters[5];
    [
        rates_xx_trace,
        1.0 - rates_xx_trace,
        1.0 - rates_xxxx_trace,
        1.0 - omega,
        omega,
        1.0 - rates_xxx_trace,
        1.0 - rates_xxy_trace,
        1.0 - rates_xxz_trace,
        1.0 - rates_xyz,
    ]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 9]) {
    let [k_0, k_1, k_2, k_3, k_4, k_5, k_6, k_7, k_8] = *k;
    let t_1 = site.read(7) + site.read(9);
    let t_11 = site.read(7) - site.read(9);
    let t_3 = site.read(11) + site.read(13);
    let t_13 = site.read(11) - site.read(13);
    let t_6 = t_1 + t_3;
    let t_22 = t_1 - t_3;
    let t_2 = site.read(8) + site.read(10);
    let t_12 = site.read(8) - site.read(10);
    let t_24 = t_11 - t_12;
    let t_43 = t_11 + t_12;
    let t_4 = site.read(12) + site.read(14);
    let t_14 = site.read(12) - site.read(14);
    let t_7 = t_2 + t_4;
    let t_23 = t_2 - t_4;
    let t_37 = t_6 - t_7;
    let t_19 = t_6 + t_7;
    let t_38 = t_22 - t_23;
    let m_7 = t_22 + t_23;
    let t_25 = t_13 - t_14;
    let t_44 = t_13 + t_14;
    let t_39 = t_24 + t_25;
    let m_13 = t_24 - t_25;
    let post_13 = k_8 * m_13;
    let m_8 = t_43 + t_44;
    let m_9 = t_43 - t_44;
    let m_4 = V::constant(2.0).mul_add(t_19, -site.read(0));
    let t_31 = site.read(0) + t_19;
    let t_40 = site.read(1) - site.read(2);
    let t_20 = site.read(1) + site.read(2);
    let u_x = t_37 + t_40;
    let m_10 = V::constant(2.0).mul_add(t_37, -t_40);
    let post_10 = k_5 * m_10;
    let flux_xx = u_x * u_x;
    let odd_0_part_1 = V::constant(0.3333333333333333) * u_x;
    let odd_0 = V::constant(-0.16666666666666666).mul_add(post_10, odd_0_part_1);
    let t_8 = u_x + post_10;
    let t_41 = site.read(3) - site.read(4);
    let t_16 = site.read(3) + site.read(4);
    let u_y = t_38 + t_41;
    let m_11 = V::constant(2.0).mul_add(t_38, -t_41);
    let post_11 = k_6 * m_11;
    let flux_yy = u_y * u_y;
    let odd_1_part_1 = V::constant(0.3333333333333333) * u_y;
    let odd_1 = V::constant(-0.16666666666666666).mul_add(post_11, odd_1_part_1);
    let t_9 = u_y + post_11;
    let flux_xy = u_x * u_y;
    let post_7_part_1 = k_4 * flux_xy;
    let post_7 = k_3.mul_add(m_7, post_7_part_1);
    let t_29 = t_8 + t_9;
    let t_28 = t_8 - t_9;
    let odd_3_part_1 = V::constant(0.041666666666666664) * t_29;
    let odd_4_part_1 = V::constant(0.041666666666666664) * t_29;
    let odd_5_part_1 = V::constant(0.041666666666666664) * t_28;
    let odd_6_part_1 = V::constant(0.041666666666666664) * t_28;
    let t_42 = site.read(5) - site.read(6);
    let t_17 = site.read(5) + site.read(6);
    let u_z = t_39 + t_42;
    let m_12 = V::constant(2.0).mul_add(t_39, -t_42);
    let post_12 = k_7 * m_12;
    let flux_xz = u_x * u_z;
    let post_8_part_1 = k_4 * flux_xz;
    let post_8 = k_3.mul_add(m_8, post_8_part_1);
    let flux_yz = u_y * u_z;
    let post_9_part_1 = k_4 * flux_yz;
    let post_9 = k_3.mul_add(m_9, post_9_part_1);
    let flux_zz = u_z * u_z;
    let t_21 = flux_yy + flux_zz;
    let m_eq_6 = flux_yy - flux_zz;
    let flux_trace = flux_xx + t_21;
    let m_eq_5 = V::constant(2.0).mul_add(flux_xx, -t_21);
    let post_4_part_1 = k_0 * flux_trace;
    let post_4 = k_1.mul_add(m_4, post_4_part_1);
    let t_30 = t_16 + t_17;
    let m_6 = t_16 - t_17;
    let post_6_part_1 = k_3 * m_6;
    let post_6 = k_4.mul_add(m_eq_6, post_6_part_1);
    let t_45 = t_20 + t_30;
    let m_5 = V::constant(2.0).mul_add(t_20, -t_30);
    let post_5_part_1 = k_3 * m_5;
    let post_5 = k_4.mul_add(m_eq_5, post_5_part_1);
    let m_eq_0 = t_31 + t_45;
    let m_14 = V::constant(2.0).mul_add(t_31, -t_45);
    let post_14 = k_2 * m_14;
    let t_5 = m_eq_0 + post_14;
    let t_18 = V::constant(-0.5).mul_add(post_14, m_eq_0);
    let post_0_part_1 = V::constant(-0.3333333333333333) * post_4;
    let post_0 = V::constant(0.2222222222222222).mul_add(t_5, post_0_part_1);
    site.write(0, post_0);
    let t_15 = V::constant(0.3333333333333333).mul_add(t_5, post_4);
    let even_0_part_1 = V::constant(0.16666666666666666) * post_5;
    let even_0 = V::constant(0.1111111111111111).mul_add(t_18, even_0_part_1);
    let t_32 = V::constant(-1.3333333333333333).mul_add(t_18, post_5);
    let post_1 = even_0 + odd_0;
    site.write(1, post_1);
    let post_2 = even_0 - odd_0;
    site.write(2, post_2);
    let even_1_part_1 = V::constant(0.25) * post_6;
    let even_1 = V::constant(-0.08333333333333333).mul_add(t_32, even_1_part_1);
    let post_3 = even_1 + odd_1;
    site.write(3, post_3);
    let post_4_again_2 = even_1 - odd_1;
    site.write(4, post_4_again_2);
    let even_2_part_1 = V::constant(-0.25) * post_6;
    let even_2 = V::constant(-0.08333333333333333).mul_add(t_32, even_2_part_1);
    let odd_2_part_1 = V::constant(0.3333333333333333) * u_z;
    let odd_2 = V::constant(-0.16666666666666666).mul_add(post_12, odd_2_part_1);
    let t_10 = u_z + post_12;
    let post_5_again_2 = even_2 + odd_2;
    site.write(5, post_5_again_2);
    let post_6_again_2 = even_2 - odd_2;
    site.write(6, post_6_again_2);
    let t_27 = post_7 + post_8;
    let t_26 = post_7 - post_8;
    let t_33 = V::constant(0.3333333333333333).mul_add(t_15, post_9);
    let t_34 = V::constant(-0.3333333333333333).mul_add(t_15, post_9);
    let t_49 = t_27 + t_33;
    let t_48 = t_27 - t_33;
    let even_3 = V::constant(0.125) * t_49;
    let even_6 = V::constant(-0.125) * t_48;
    let t_35 = V::constant(0.3333333333333333).mul_add(t_10, post_13);
    let t_36 = V::constant(-0.3333333333333333).mul_add(t_10, post_13);
    let odd_3 = V::constant(0.125).mul_add(t_35, odd_3_part_1);
    let odd_4 = V::constant(-0.125).mul_add(t_35, odd_4_part_1);
    let post_7_again_2 = even_3 + odd_3;
    site.write(7, post_7_again_2);
    let post_8_again_2 = even_3 - odd_3;
    site.write(8, post_8_again_2);
    let odd_5 = V::constant(-0.125).mul_add(t_36, odd_5_part_1);
    let odd_6 = V::constant(0.125).mul_add(t_36, odd_6_part_1);
    let post_13_again_2 = even_6 + odd_6;
    site.write(13, post_13_again_2);
    let post_14_again_2 = even_6 - odd_6;
    site.write(14, post_14_again_2);
    let t_46 = t_26 - t_34;
    let t_47 = t_26 + t_34;
    let even_4 = V::constant(0.125) * t_46;
    let post_9_again_2 = even_4 + odd_4;
    site.write(9, post_9_again_2);
    let post_10_again_2 = even_4 - odd_4;
    site.write(10, post_10_again_2);
    let even_5 = V::constant(-0.125) * t_47;
    let post_11_again_2 = even_5 + odd_5;
    site.write(11, post_11_again_2);
    let post_12_again_2 = even_5 - odd_5;
    site.write(12, post_12_again_2);
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
