// d3q19-mrt-incompressible
// Mrt on D3Q19, incompressible equilibrium, no force.
// Operations a node: adds 136, muls 84, divs 0, others 0; 44 adds and muls are fused in fmas.
// At most 28 values live at once.
// h[i] = f_i - w_i is the shifted population that moves with c_i; `site.read(i)` gives it:
//   h[0]: c = [ 0,  0,  0], w = 1/3
//   h[1]: c = [ 1,  0,  0], w = 1/18
//   h[2]: c = [-1,  0,  0], w = 1/18
//   h[3]: c = [ 0,  1,  0], w = 1/18
//   h[4]: c = [ 0, -1,  0], w = 1/18
//   h[5]: c = [ 0,  0,  1], w = 1/18
//   h[6]: c = [ 0,  0, -1], w = 1/18
//   h[7]: c = [ 1,  1,  0], w = 1/36
//   h[8]: c = [-1, -1,  0], w = 1/36
//   h[9]: c = [ 1,  0,  1], w = 1/36
//   h[10]: c = [-1,  0, -1], w = 1/36
//   h[11]: c = [ 1,  0, -1], w = 1/36
//   h[12]: c = [-1,  0,  1], w = 1/36
//   h[13]: c = [ 1, -1,  0], w = 1/36
//   h[14]: c = [-1,  1,  0], w = 1/36
//   h[15]: c = [ 0,  1,  1], w = 1/36
//   h[16]: c = [ 0, -1, -1], w = 1/36
//   h[17]: c = [ 0,  1, -1], w = 1/36
//   h[18]: c = [ 0, -1,  1], w = 1/36
// k[..] are the same for all nodes; `uniforms` computes them once a run.

fn uniforms(parameters: &[f64]) -> [f64; 13] {
    let rates_xx_trace: f64 = parameters[1];
    let rates_xxxx_trace: f64 = parameters[8];
    let viscosity: f64 = parameters[0];
    let omega: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    let rates_xxxx_2: f64 = parameters[9];
    let rates_xxxx_3: f64 = parameters[10];
    let rates_xxx_trace: f64 = parameters[2];
    let rates_xxy_trace: f64 = parameters[4];
    let rates_xxz_trace: f64 = parameters[6];
    let rates_xxx_2: f64 = parameters[3];
    let rates_xxy_1: f64 = parameters[5];
    let rates_xxz_1: f64 = parameters[7];
    [
        rates_xx_trace,
        1.0 - rates_xx_trace,
        1.0 - rates_xxxx_trace,
        1.0 - omega,
        omega,
        1.0 - rates_xxxx_2,
        1.0 - rates_xxxx_3,
        1.0 - rates_xxx_trace,
        1.0 - rates_xxy_trace,
        1.0 - rates_xxz_trace,
        1.0 - rates_xxx_2,
        1.0 - rates_xxy_1,
        1.0 - rates_xxz_1,
    ]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 13]) {
    let [k_0, k_1, k_2, k_3, k_4, k_5, k_6, k_7, k_8, k_9, k_10, k_11, k_12] = *k;
    let t_40 = site.read(1) - site.read(2);
    let t_13 = site.read(1) + site.read(2);
    let t_1 = site.read(9) + site.read(11);
    let t_22 = site.read(9) - site.read(11);
    let t_2 = site.read(10) + site.read(12);
    let t_23 = site.read(10) - site.read(12);
    let t_32 = t_1 - t_2;
    let t_9 = t_1 + t_2;
    let t_38 = t_22 - t_23;
    let m_8 = t_22 + t_23;
    let t_4 = site.read(7) + site.read(13);
    let t_20 = site.read(7) - site.read(13);
    let t_5 = site.read(8) + site.read(14);
    let t_21 = site.read(8) - site.read(14);
    let t_33 = t_4 - t_5;
    let t_11 = t_4 + t_5;
    let t_56 = t_32 + t_33;
    let m_11 = t_33 - t_32;
    let post_11 = k_10 * m_11;
    let u_x = t_40 + t_56;
    let m_10 = V::constant(-2.0).mul_add(t_40, t_56);
    let post_10 = k_7 * m_10;
    let flux_xx = u_x * u_x;
    let t_37 = t_20 - t_21;
    let m_7 = t_20 + t_21;
    let t_28 = t_9 + t_11;
    let t_59 = u_x - post_10;
    let odd_0 = V::constant(0.16666666666666666) * t_59;
    let t_15 = V::constant(0.5).mul_add(post_10, u_x);
    let t_46 = V::constant(0.6666666666666666).mul_add(t_15, post_11);
    let t_47 = V::constant(-0.6666666666666666).mul_add(t_15, post_11);
    let t_41 = site.read(3) - site.read(4);
    let t_10 = site.read(3) + site.read(4);
    let t_30 = t_10 + t_13;
    let m_5_part_1 = t_28 - t_10;
    let m_18_part_1 = t_9 + t_10;
    let m_6_part_1 = t_10 + t_11;
    let m_6_part_2 = m_6_part_1 - t_9;
    let t_6 = site.read(15) + site.read(17);
    let t_24 = site.read(15) - site.read(17);
    let t_7 = site.read(16) + site.read(18);
    let t_25 = site.read(16) - site.read(18);
    let t_34 = t_6 - t_7;
    let t_12 = t_6 + t_7;
    let t_35 = t_12 + t_28;
    let m_17_part_1 = -t_9 - t_12;
    let m_17_part_2 = m_17_part_1 - t_30;
    let m_18_part_2 = m_18_part_1 - t_12;
    let t_63 = t_12 - t_13;
    let m_18 = m_18_part_2 - t_13;
    let post_18 = k_6 * m_18;
    let t_57 = t_34 + t_37;
    let m_13 = t_37 - t_34;
    let post_13 = k_11 * m_13;
    let u_y = t_41 + t_57;
    let m_12 = V::constant(-2.0).mul_add(t_41, t_57);
    let post_12 = k_8 * m_12;
    let flux_yy = u_y * u_y;
    let t_39 = t_24 - t_25;
    let m_9 = t_24 + t_25;
    let t_58 = t_38 + t_39;
    let m_15 = t_38 - t_39;
    let post_15 = k_12 * m_15;
    let t_60 = u_y - post_12;
    let odd_1 = V::constant(0.16666666666666666) * t_60;
    let t_16 = V::constant(0.5).mul_add(post_12, u_y);
    let flux_xy = u_x * u_y;
    let post_7_part_1 = k_4 * flux_xy;
    let post_7 = k_3.mul_add(m_7, post_7_part_1);
    let even_3_part_1 = V::constant(0.25) * post_7;
    let even_6_part_1 = V::constant(-0.25) * post_7;
    let t_48 = V::constant(0.6666666666666666).mul_add(t_16, post_13);
    let t_49 = V::constant(-0.6666666666666666).mul_add(t_16, post_13);
    let t_66 = t_46 + t_48;
    let t_65 = t_46 - t_48;
    let odd_3 = V::constant(0.125) * t_66;
    let odd_6 = V::constant(0.125) * t_65;
    let m_4 = t_35 - site.read(0);
    let t_55 = site.read(0) + t_35;
    let t_42 = site.read(5) - site.read(6);
    let t_14 = site.read(5) + site.read(6);
    let t_52 = t_14 + t_30;
    let m_5_part_2 = m_5_part_1 - t_14;
    let m_5 = V::constant(-2.0).mul_add(t_63, m_5_part_2);
    let post_5_part_1 = k_3 * m_5;
    let t_62 = t_11 + t_14;
    let m_17 = V::constant(2.0).mul_add(t_62, m_17_part_2);
    let m_6 = m_6_part_2 - t_14;
    let post_17 = k_5 * m_17;
    let post_6_part_1 = k_3 * m_6;
    let u_z = t_42 + t_58;
    let m_14 = V::constant(-2.0).mul_add(t_42, t_58);
    let post_14 = k_9 * m_14;
    let flux_xz = u_x * u_z;
    let post_8_part_1 = k_4 * flux_xz;
    let post_8_again_2 = k_3.mul_add(m_8, post_8_part_1);
    let flux_yz = u_y * u_z;
    let post_9_part_1 = k_4 * flux_yz;
    let post_9_again_2 = k_3.mul_add(m_9, post_9_part_1);
    let flux_zz = u_z * u_z;
    let t_29 = flux_yy + flux_zz;
    let m_eq_6 = flux_yy - flux_zz;
    let post_6 = k_4.mul_add(m_eq_6, post_6_part_1);
    let flux_trace = flux_xx + t_29;
    let m_eq_5 = V::constant(2.0).mul_add(flux_xx, -t_29);
    let post_5 = k_4.mul_add(m_eq_5, post_5_part_1);
    let post_4_part_1 = k_0 * flux_trace;
    let post_4 = k_1.mul_add(m_4, post_4_part_1);
    let m_eq_0 = t_52 + t_55;
    let m_16 = V::constant(-2.0).mul_add(t_52, t_55);
    let post_16 = k_2 * m_16;
    let t_3 = V::constant(0.5).mul_add(post_16, m_eq_0);
    let t_19 = m_eq_0 - post_16;
    let post_0_part_1 = V::constant(-0.5) * post_4;
    let post_0 = V::constant(0.3333333333333333).mul_add(t_3, post_0_part_1);
    site.write(0, post_0);
    let t_8 = V::constant(0.6666666666666666).mul_add(t_3, post_4);
    let t_26 = V::constant(3.0).mul_add(post_18, post_17);
    let t_27 = V::constant(-3.0).mul_add(post_18, post_17);
    let even_0_part_1 = V::constant(0.08333333333333333) * post_5;
    let even_0_part_2 = V::constant(0.05555555555555555).mul_add(t_19, even_0_part_1);
    let even_0 = V::constant(-0.041666666666666664).mul_add(t_26, even_0_part_2);
    let post_1 = even_0 + odd_0;
    site.write(1, post_1);
    let post_2 = even_0 - odd_0;
    site.write(2, post_2);
    let t_43 = V::constant(-1.3333333333333333).mul_add(t_19, post_5);
    let t_64 = t_27 + t_43;
    let even_1_part_1 = V::constant(0.125) * post_6;
    let even_1 = V::constant(-0.041666666666666664).mul_add(t_64, even_1_part_1);
    let post_3 = even_1 + odd_1;
    site.write(3, post_3);
    let post_4_again_2 = even_1 - odd_1;
    site.write(4, post_4_again_2);
    let even_2_part_1 = V::constant(0.08333333333333333) * post_17;
    let even_2_part_2 = V::constant(-0.125).mul_add(post_6, even_2_part_1);
    let even_2 = V::constant(-0.041666666666666664).mul_add(t_43, even_2_part_2);
    let t_44 = V::constant(1.5).mul_add(post_6, post_17);
    let t_61 = u_z - post_14;
    let t_17 = V::constant(0.5).mul_add(post_14, u_z);
    let odd_2 = V::constant(0.16666666666666666) * t_61;
    let post_5_again_2 = even_2 + odd_2;
    site.write(5, post_5_again_2);
    let post_6_again_2 = even_2 - odd_2;
    site.write(6, post_6_again_2);
    let t_18 = V::constant(2.0).mul_add(t_8, post_5);
    let t_31 = post_5 - t_8;
    let t_54 = V::constant(2.0).mul_add(t_31, t_26);
    let t_53 = V::constant(2.0).mul_add(t_44, t_18);
    let t_36 = t_18 - t_27;
    let t_45 = V::constant(-0.3333333333333333).mul_add(t_36, post_6);
    let even_3 = V::constant(0.020833333333333332).mul_add(t_53, even_3_part_1);
    let even_6 = V::constant(0.020833333333333332).mul_add(t_53, even_6_part_1);
    let post_7_again_2 = even_3 + odd_3;
    site.write(7, post_7_again_2);
    let post_8 = even_3 - odd_3;
    site.write(8, post_8);
    let post_13_again_2 = even_6 + odd_6;
    site.write(13, post_13_again_2);
    let post_14_again_2 = even_6 - odd_6;
    site.write(14, post_14_again_2);
    let even_4_part_1 = V::constant(0.25) * post_8_again_2;
    let even_4 = V::constant(-0.0625).mul_add(t_45, even_4_part_1);
    let even_5_part_1 = V::constant(-0.25) * post_8_again_2;
    let even_5 = V::constant(-0.0625).mul_add(t_45, even_5_part_1);
    let t_50 = V::constant(0.6666666666666666).mul_add(t_17, post_15);
    let t_51 = V::constant(-0.6666666666666666).mul_add(t_17, post_15);
    let t_67 = t_47 - t_50;
    let t_68 = t_47 + t_50;
    let odd_4 = V::constant(-0.125) * t_67;
    let post_9 = even_4 + odd_4;
    site.write(9, post_9);
    let post_10_again_2 = even_4 - odd_4;
    site.write(10, post_10_again_2);
    let odd_5 = V::constant(-0.125) * t_68;
    let post_11_again_2 = even_5 + odd_5;
    site.write(11, post_11_again_2);
    let post_12_again_2 = even_5 - odd_5;
    site.write(12, post_12_again_2);
    let even_7_part_1 = V::constant(0.25) * post_9_again_2;
    let even_7 = V::constant(-0.020833333333333332).mul_add(t_54, even_7_part_1);
    let even_8_part_1 = V::constant(-0.25) * post_9_again_2;
    let even_8 = V::constant(-0.020833333333333332).mul_add(t_54, even_8_part_1);
    let t_70 = t_49 + t_51;
    let t_69 = t_49 - t_51;
    let odd_7 = V::constant(-0.125) * t_70;
    let post_15_again_2 = even_7 + odd_7;
    site.write(15, post_15_again_2);
    let post_16_again_2 = even_7 - odd_7;
    site.write(16, post_16_again_2);
    let odd_8 = V::constant(-0.125) * t_69;
    let post_17_again_2 = even_8 + odd_8;
    site.write(17, post_17_again_2);
    let post_18_again_2 = even_8 - odd_8;
    site.write(18, post_18_again_2);
}

#[inline(always)]
fn macroscopic<V: ::lbm::core::Lanes<Scalar = f64>>(h: &[V], force: [V; 3]) -> [V; 4] {
    let input = force;
    let _ = input;
    let rho_part_1 = V::constant(1.0) + h[0];
    let rho_part_2 = rho_part_1 + h[11];
    let rho_part_3 = rho_part_2 + h[12];
    let t_7 = h[11] - h[12];
    let rho_part_4 = rho_part_3 + h[15];
    let rho_part_5 = rho_part_4 + h[16];
    let t_8 = h[15] - h[16];
    let rho_part_6 = rho_part_5 + h[17];
    let rho_part_7 = rho_part_6 + h[18];
    let t_9 = h[17] - h[18];
    let t_1 = h[1] + h[7];
    let rho_part_8 = rho_part_7 + t_1;
    let t_2 = h[2] + h[8];
    let rho_part_9 = rho_part_8 + t_2;
    let t_3 = h[3] + h[14];
    let rho_part_10 = rho_part_9 + t_3;
    let u_y_part_1 = h[7] + t_3;
    let u_y_part_2 = u_y_part_1 + t_8;
    let u_y_part_3 = u_y_part_2 + t_9;
    let u_y_part_4 = u_y_part_3 - h[8];
    let t_4 = h[4] + h[13];
    let u_y = u_y_part_4 - t_4;
    let rho_part_11 = rho_part_10 + t_4;
    let u_x_part_1 = h[9] + h[13];
    let u_x_part_2 = u_x_part_1 + t_1;
    let t_5 = h[5] + h[9];
    let rho_part_12 = rho_part_11 + t_5;
    let u_z_part_1 = t_5 + t_8;
    let u_x_part_3 = u_x_part_2 + t_7;
    let u_x_part_4 = u_x_part_3 - h[10];
    let u_x_part_5 = u_x_part_4 - h[14];
    let u_x = u_x_part_5 - t_2;
    let t_6 = h[6] + h[10];
    let rho = rho_part_12 + t_6;
    let u_z_part_2 = u_z_part_1 - t_6;
    let u_z_part_3 = u_z_part_2 - t_7;
    let u_z = u_z_part_3 - t_9;
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
    let flux_trace_part_1 = flux_xx + flux_yy;
    let flux_trace = flux_trace_part_1 + flux_zz;
    let t_1 = V::constant(1.0) - input[0];
    let t_2 = V::constant(0.6666666666666666).mul_add(t_1, flux_trace);
    let h_0_eq = V::constant(-0.5) * t_2;
    let t_3 = V::constant(-0.3333333333333333).mul_add(t_2, flux_xx);
    let t_5 = V::constant(1.5).mul_add(t_3, input[1]);
    let h_1_eq = V::constant(0.16666666666666666) * t_5;
    let t_6 = V::constant(-1.5).mul_add(t_3, input[1]);
    let h_2_eq = V::constant(-0.16666666666666666) * t_6;
    let t_4 = V::constant(-0.3333333333333333).mul_add(t_2, flux_yy);
    let t_9 = V::constant(1.5).mul_add(t_4, input[2]);
    let h_3_eq = V::constant(0.16666666666666666) * t_9;
    let t_10 = V::constant(-1.5).mul_add(t_4, input[2]);
    let h_4_eq = V::constant(-0.16666666666666666) * t_10;
    let t_7 = V::constant(1.5).mul_add(flux_zz, input[3]);
    let h_5_eq_part_1 = V::constant(-0.08333333333333333) * t_2;
    let h_5_eq = V::constant(0.16666666666666666).mul_add(t_7, h_5_eq_part_1);
    let t_8 = V::constant(-1.5).mul_add(flux_zz, input[3]);
    let h_6_eq_part_1 = V::constant(-0.08333333333333333) * t_2;
    let h_6_eq = V::constant(-0.16666666666666666).mul_add(t_8, h_6_eq_part_1);
    let flux_xy = input[1] * input[2];
    let t_11 = V::constant(1.5).mul_add(flux_yy, input[2]);
    let t_15 = t_5 + t_11;
    let h_7_eq_part_1 = V::constant(0.25) * flux_xy;
    let h_7_eq = V::constant(0.08333333333333333).mul_add(t_15, h_7_eq_part_1);
    let t_12 = V::constant(-1.5).mul_add(flux_yy, input[2]);
    let t_20 = t_6 + t_12;
    let h_8_eq_part_1 = V::constant(0.25) * flux_xy;
    let h_8_eq = V::constant(-0.08333333333333333).mul_add(t_20, h_8_eq_part_1);
    let flux_xz = input[1] * input[3];
    let t_13 = t_5 + t_7;
    let h_9_eq_part_1 = V::constant(0.25) * flux_xz;
    let h_9_eq = V::constant(0.08333333333333333).mul_add(t_13, h_9_eq_part_1);
    let t_18 = t_6 + t_8;
    let h_10_eq_part_1 = V::constant(0.25) * flux_xz;
    let h_10_eq = V::constant(-0.08333333333333333).mul_add(t_18, h_10_eq_part_1);
    let t_14 = t_5 - t_8;
    let h_11_eq_part_1 = V::constant(-0.25) * flux_xz;
    let h_11_eq = V::constant(0.08333333333333333).mul_add(t_14, h_11_eq_part_1);
    let t_17 = t_6 - t_7;
    let h_12_eq_part_1 = V::constant(-0.25) * flux_xz;
    let h_12_eq = V::constant(-0.08333333333333333).mul_add(t_17, h_12_eq_part_1);
    let t_16 = t_5 - t_12;
    let h_13_eq_part_1 = V::constant(-0.25) * flux_xy;
    let h_13_eq = V::constant(0.08333333333333333).mul_add(t_16, h_13_eq_part_1);
    let t_19 = t_6 - t_11;
    let h_14_eq_part_1 = V::constant(-0.25) * flux_xy;
    let h_14_eq = V::constant(-0.08333333333333333).mul_add(t_19, h_14_eq_part_1);
    let flux_yz = input[2] * input[3];
    let t_21 = t_7 + t_9;
    let h_15_eq_part_1 = V::constant(0.25) * flux_yz;
    let h_15_eq = V::constant(0.08333333333333333).mul_add(t_21, h_15_eq_part_1);
    let t_24 = t_8 + t_10;
    let h_16_eq_part_1 = V::constant(0.25) * flux_yz;
    let h_16_eq = V::constant(-0.08333333333333333).mul_add(t_24, h_16_eq_part_1);
    let t_23 = t_8 - t_9;
    let h_17_eq_part_1 = V::constant(-0.25) * flux_yz;
    let h_17_eq = V::constant(-0.08333333333333333).mul_add(t_23, h_17_eq_part_1);
    let t_22 = t_7 - t_10;
    let h_18_eq_part_1 = V::constant(-0.25) * flux_yz;
    let h_18_eq = V::constant(0.08333333333333333).mul_add(t_22, h_18_eq_part_1);
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
}
