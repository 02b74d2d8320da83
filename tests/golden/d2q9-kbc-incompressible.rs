// d2q9-kbc-incompressible
// Kbc on D2Q9, incompressible equilibrium, no force.
// Operations a node: adds 118, muls 118, divs 10, others 2; 61 adds and muls are fused in fmas.
// At most 36 values live at once.
// h[i] = f_i - w_i is the shifted population that moves with c_i; `site.read(i)` gives it:
//   h[0]: c = [ 0,  0], w = 4/9
//   h[1]: c = [ 1,  0], w = 1/9
//   h[2]: c = [-1,  0], w = 1/9
//   h[3]: c = [ 0,  1], w = 1/9
//   h[4]: c = [ 0, -1], w = 1/9
//   h[5]: c = [ 1,  1], w = 1/36
//   h[6]: c = [-1, -1], w = 1/36
//   h[7]: c = [ 1, -1], w = 1/36
//   h[8]: c = [-1,  1], w = 1/36
// k[..] are the same for all nodes; `uniforms` computes them once a run.

fn uniforms(parameters: &[f64]) -> [f64; 5] {
    let viscosity: f64 = parameters[0];
    let beta: f64 = 1.0 / (1.0 + 6.0 * viscosity);
    let inverse_beta: f64 = 1.0 / (beta);
    [inverse_beta, 2.0 - inverse_beta, 2.0 * beta, beta, 0.5 * beta]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 5]) {
    let [k_0, k_1, k_2, k_3, k_4] = *k;
    let h_0_h_0 = site.read(0) * site.read(0);
    let from_rest_part_1 = V::constant(2.25) * h_0_h_0;
    let h_1_h_1 = site.read(1) * site.read(1);
    let t_19 = site.read(1) + site.read(5);
    let delta_rho_part_1 = site.read(0) + t_19;
    let u_x_part_1 = site.read(7) + t_19;
    let u_x_part_2 = u_x_part_1 - site.read(8);
    let h_5_h_5 = site.read(5) * site.read(5);
    let h_7_h_7 = site.read(7) * site.read(7);
    let h_8_h_8 = site.read(8) * site.read(8);
    let t_32 = h_7_h_7 + h_8_h_8;
    let t_21 = site.read(3) + site.read(8);
    let u_y_part_1 = site.read(5) + t_21;
    let u_y_part_2 = u_y_part_1 - site.read(6);
    let h_3_h_3 = site.read(3) * site.read(3);
    let h_6_h_6 = site.read(6) * site.read(6);
    let t_31 = h_5_h_5 + h_6_h_6;
    let t_38 = t_31 + t_32;
    let t_20 = site.read(2) + site.read(6);
    let u_x = u_x_part_2 - t_20;
    let delta_rho_part_2 = delta_rho_part_1 + t_20;
    let delta_rho_part_3 = delta_rho_part_2 + t_21;
    let flux_xx = u_x * u_x;
    let rest_1_part_1 = V::constant(-0.3333333333333333).mul_add(u_x, site.read(1));
    let rest_2_part_1 = V::constant(0.3333333333333333).mul_add(u_x, site.read(2));
    let h_2_h_2 = site.read(2) * site.read(2);
    let t_29 = h_1_h_1 + h_2_h_2;
    let inverse_2_of_part_1 = V::constant(0.3333333333333333) * u_x;
    let inverse_3_of_part_1 = V::constant(-0.3333333333333333) * u_x;
    let t_22 = site.read(4) + site.read(7);
    let u_y = u_y_part_2 - t_22;
    let delta_rho = delta_rho_part_3 + t_22;
    let flux_yy = u_y * u_y;
    let t_1 = V::constant(3.0).mul_add(flux_xx, delta_rho);
    let t_3 = V::constant(-1.5).mul_add(flux_xx, delta_rho);
    let t_7 = V::constant(-0.6666666666666666).mul_add(t_1, flux_yy);
    let rest_1 = V::constant(0.16666666666666666).mul_add(t_7, rest_1_part_1);
    let rest_2 = V::constant(0.16666666666666666).mul_add(t_7, rest_2_part_1);
    let t_2 = V::constant(0.3333333333333333).mul_add(t_1, flux_yy);
    let t_13 = V::constant(-1.5).mul_add(t_7, V::constant(1.0));
    let inverse_2_of = V::constant(0.1111111111111111)
        .mul_add(t_13, inverse_2_of_part_1);
    let inverse_3_of = V::constant(0.1111111111111111)
        .mul_add(t_13, inverse_3_of_part_1);
    let inverse_2 = V::constant(1.0) / inverse_2_of;
    let inverse_3 = V::constant(1.0) / inverse_3_of;
    let t_4 = u_x + u_y;
    let flux_xy = u_x * u_y;
    let t_5 = u_x - u_y;
    let t_16 = V::constant(0.3333333333333333).mul_add(t_2, flux_xy);
    let rest_5_part_1 = V::constant(-0.08333333333333333).mul_add(t_4, site.read(5));
    let rest_5 = V::constant(-0.25).mul_add(t_16, rest_5_part_1);
    let rest_6_part_1 = V::constant(0.08333333333333333).mul_add(t_4, site.read(6));
    let rest_6 = V::constant(-0.25).mul_add(t_16, rest_6_part_1);
    let t_11 = rest_5 + rest_6;
    let t_15 = V::constant(-0.3333333333333333).mul_add(t_2, flux_xy);
    let t_6 = V::constant(3.0).mul_add(t_2, V::constant(1.0));
    let rest_7_part_1 = V::constant(-0.08333333333333333).mul_add(t_5, site.read(7));
    let rest_7 = V::constant(0.25).mul_add(t_15, rest_7_part_1);
    let rest_8_part_1 = V::constant(0.08333333333333333).mul_add(t_5, site.read(8));
    let rest_8 = V::constant(0.25).mul_add(t_15, rest_8_part_1);
    let t_12 = rest_7 + rest_8;
    let t_23 = t_11 + t_12;
    let m_5 = t_11 - t_12;
    let h_5_2 = V::constant(-0.25).mul_add(m_5, rest_5);
    let h_6_2 = V::constant(-0.25).mul_add(m_5, rest_6);
    let h_7_2 = V::constant(0.25).mul_add(m_5, rest_7);
    let h_8_2 = V::constant(0.25).mul_add(m_5, rest_8);
    let m_2_part_1 = rest_1 + rest_2;
    let m_2 = m_2_part_1 + t_23;
    let t_8 = V::constant(0.3333333333333333).mul_add(t_3, flux_yy);
    let t_14 = V::constant(-0.6666666666666666).mul_add(t_3, flux_yy);
    let t_9 = u_y + t_8;
    let t_10 = u_y - t_8;
    let rest_3 = V::constant(-0.3333333333333333).mul_add(t_9, site.read(3));
    let inverse_4_of = V::constant(0.3333333333333333)
        .mul_add(t_9, V::constant(0.1111111111111111));
    let inverse_4 = V::constant(1.0) / inverse_4_of;
    let rest_4 = V::constant(0.3333333333333333).mul_add(t_10, site.read(4));
    let inverse_5_of = V::constant(-0.3333333333333333)
        .mul_add(t_10, V::constant(0.1111111111111111));
    let inverse_5 = V::constant(1.0) / inverse_5_of;
    let m_4_part_1 = rest_3 + rest_4;
    let m_4 = m_4_part_1 + t_23;
    let t_24 = m_2 + m_4;
    let trace = V::constant(0.5) * t_24;
    let shear_2 = m_2 - trace;
    let shear_4 = m_4 - trace;
    let h_1_2 = V::constant(-0.5).mul_add(shear_2, rest_1);
    let weighted_1 = h_1_2 * inverse_2;
    let h_2_2 = V::constant(-0.5).mul_add(shear_2, rest_2);
    let weighted_2 = h_2_2 * inverse_3;
    let h_3_2 = V::constant(-0.5).mul_add(shear_4, rest_3);
    let weighted_3 = h_3_2 * inverse_4;
    let h_4_2 = V::constant(-0.5).mul_add(shear_4, rest_4);
    let weighted_4 = h_4_2 * inverse_5;
    let s_0 = -shear_2 - shear_4;
    let h_0_2_part_1 = site.read(0) - s_0;
    let h_0_2 = V::constant(0.6666666666666666).mul_add(t_14, h_0_2_part_1);
    let inverse_of = V::constant(-0.6666666666666666)
        .mul_add(t_14, V::constant(0.4444444444444444));
    let inverse = V::constant(1.0) / inverse_of;
    let weighted_0 = h_0_2 * inverse;
    let post_0_part_1 = (-k_2).mul_add(s_0, site.read(0));
    let s_0_weighted_0 = s_0 * weighted_0;
    let h_0_2_weighted_0 = h_0_2 * weighted_0;
    let h_4_h_4 = site.read(4) * site.read(4);
    let t_30 = h_3_h_3 + h_4_h_4;
    let t_37 = t_29 + t_30;
    let from_rest_part_2 = V::constant(9.0).mul_add(t_37, from_rest_part_1);
    let from_rest = V::constant(36.0).mul_add(t_38, from_rest_part_2);
    let gamma_of = V::constant(0.000000000001) * from_rest;
    let choice_of = V::constant(0.000000000001) * from_rest;
    let h_1_2_weighted_1 = h_1_2 * weighted_1;
    let square_of_h_part_1 = h_0_2_weighted_0 + h_1_2_weighted_1;
    let t_33 = weighted_1 + weighted_2;
    let h_2_2_weighted_2 = h_2_2 * weighted_2;
    let square_of_h_part_2 = square_of_h_part_1 + h_2_2_weighted_2;
    let by_shear_2 = V::constant(0.5) * t_33;
    let with_shear_2 = shear_2 * by_shear_2;
    let h_3_2_weighted_3 = h_3_2 * weighted_3;
    let square_of_h_part_3 = square_of_h_part_2 + h_3_2_weighted_3;
    let t_34 = weighted_3 + weighted_4;
    let h_4_2_weighted_4 = h_4_2 * weighted_4;
    let square_of_h_part_4 = square_of_h_part_3 + h_4_2_weighted_4;
    let by_shear_4 = V::constant(0.5) * t_34;
    let with_shear_4 = shear_4 * by_shear_4;
    let t_18 = V::constant(0.1111111111111111).mul_add(t_6, flux_xy);
    let t_17 = V::constant(-0.1111111111111111).mul_add(t_6, flux_xy);
    let inverse_6_of_part_1 = V::constant(0.08333333333333333) * t_4;
    let inverse_6_of = V::constant(0.25).mul_add(t_18, inverse_6_of_part_1);
    let inverse_6 = V::constant(1.0) / inverse_6_of;
    let weighted_5 = h_5_2 * inverse_6;
    let inverse_7_of_part_1 = V::constant(-0.08333333333333333) * t_4;
    let inverse_7_of = V::constant(0.25).mul_add(t_18, inverse_7_of_part_1);
    let inverse_7 = V::constant(1.0) / inverse_7_of;
    let weighted_6 = h_6_2 * inverse_7;
    let h_5_2_weighted_5 = h_5_2 * weighted_5;
    let square_of_h_part_5 = square_of_h_part_4 + h_5_2_weighted_5;
    let t_35 = weighted_5 + weighted_6;
    let h_6_2_weighted_6 = h_6_2 * weighted_6;
    let square_of_h_part_6 = square_of_h_part_5 + h_6_2_weighted_6;
    let inverse_8_of_part_1 = V::constant(0.08333333333333333) * t_5;
    let inverse_8_of = V::constant(-0.25).mul_add(t_17, inverse_8_of_part_1);
    let inverse_8 = V::constant(1.0) / inverse_8_of;
    let weighted_7 = h_7_2 * inverse_8;
    let inverse_9_of_part_1 = V::constant(-0.08333333333333333) * t_5;
    let inverse_9_of = V::constant(-0.25).mul_add(t_17, inverse_9_of_part_1);
    let inverse_9 = V::constant(1.0) / inverse_9_of;
    let weighted_8 = h_8_2 * inverse_9;
    let h_7_2_weighted_7 = h_7_2 * weighted_7;
    let square_of_h_part_7 = square_of_h_part_6 + h_7_2_weighted_7;
    let t_36 = weighted_7 + weighted_8;
    let t_39 = t_35 - t_36;
    let h_8_2_weighted_8 = h_8_2 * weighted_8;
    let square_of_h = square_of_h_part_7 + h_8_2_weighted_8;
    let by_m_5 = V::constant(0.25) * t_39;
    let with_m_5 = m_5 * by_m_5;
    let mixed_part_1 = s_0_weighted_0 + with_m_5;
    let mixed_part_2 = mixed_part_1 + with_shear_2;
    let mixed = mixed_part_2 + with_shear_4;
    let choice = ::lbm::core::Lanes::select_less(
        choice_of,
        square_of_h,
        square_of_h,
        V::constant(1.0),
    );
    let inverse_choice = V::constant(1.0) / choice;
    let mixed_inverse_choice = mixed * inverse_choice;
    let gamma_of_again_2 = (-k_1).mul_add(mixed_inverse_choice, k_0);
    let gamma = ::lbm::core::Lanes::select_less(
        gamma_of,
        square_of_h,
        gamma_of_again_2,
        V::constant(2.0),
    );
    let h_0_2_gamma = h_0_2 * gamma;
    let post_0 = (-k_3).mul_add(h_0_2_gamma, post_0_part_1);
    site.write(0, post_0);
    let h_1_2_gamma = h_1_2 * gamma;
    let t_25 = shear_2 + h_1_2_gamma;
    let post_1 = (-k_3).mul_add(t_25, site.read(1));
    site.write(1, post_1);
    let h_2_2_gamma = h_2_2 * gamma;
    let t_26 = shear_2 + h_2_2_gamma;
    let post_2 = (-k_3).mul_add(t_26, site.read(2));
    site.write(2, post_2);
    let h_3_2_gamma = h_3_2 * gamma;
    let t_27 = shear_4 + h_3_2_gamma;
    let post_3 = (-k_3).mul_add(t_27, site.read(3));
    site.write(3, post_3);
    let h_4_2_gamma = h_4_2 * gamma;
    let t_28 = shear_4 + h_4_2_gamma;
    let post_4 = (-k_3).mul_add(t_28, site.read(4));
    site.write(4, post_4);
    let h_5_2_gamma = h_5_2 * gamma;
    let post_5_part_1 = (-k_3).mul_add(h_5_2_gamma, site.read(5));
    let post_5 = (-k_4).mul_add(m_5, post_5_part_1);
    site.write(5, post_5);
    let h_6_2_gamma = h_6_2 * gamma;
    let post_6_part_1 = (-k_3).mul_add(h_6_2_gamma, site.read(6));
    let post_6 = (-k_4).mul_add(m_5, post_6_part_1);
    site.write(6, post_6);
    let h_7_2_gamma = h_7_2 * gamma;
    let post_7_part_1 = (-k_3).mul_add(h_7_2_gamma, site.read(7));
    let post_7 = k_4.mul_add(m_5, post_7_part_1);
    site.write(7, post_7);
    let h_8_2_gamma = h_8_2 * gamma;
    let post_8_part_1 = (-k_3).mul_add(h_8_2_gamma, site.read(8));
    let post_8 = k_4.mul_add(m_5, post_8_part_1);
    site.write(8, post_8);
}

#[inline(always)]
fn macroscopic<V: ::lbm::core::Lanes<Scalar = f64>>(h: &[V], force: [V; 3]) -> [V; 4] {
    let input = force;
    let _ = input;
    let rho_part_1 = V::constant(1.0) + h[0];
    let t_1 = h[1] + h[5];
    let rho_part_2 = rho_part_1 + t_1;
    let u_x_part_1 = h[7] + t_1;
    let t_4 = h[4] + h[7];
    let u_x_part_2 = u_x_part_1 - h[8];
    let t_3 = h[3] + h[8];
    let u_y_part_1 = h[5] + t_3;
    let u_y_part_2 = u_y_part_1 - h[6];
    let u_y = u_y_part_2 - t_4;
    let t_2 = h[2] + h[6];
    let u_x = u_x_part_2 - t_2;
    let rho_part_3 = rho_part_2 + t_2;
    let rho_part_4 = rho_part_3 + t_3;
    let rho = rho_part_4 + t_4;
    [rho, u_x, u_y, V::constant(0.0)]
}

fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]) {
    use ::lbm::core::Lanes as _;
    type V = f64;
    let input = [rho, u[0], u[1], u[2]];
    let _ = V::default();
    let t_1 = V::constant(1.0) - input[0];
    let flux_yy = input[2] * input[2];
    let flux_xx = input[1] * input[1];
    let t_4 = V::constant(0.6666666666666666).mul_add(t_1, flux_xx);
    let t_2 = V::constant(-0.3333333333333333).mul_add(t_1, flux_xx);
    let t_13 = flux_yy + t_4;
    let h_0_eq = V::constant(-0.6666666666666666) * t_13;
    let t_8 = V::constant(-0.5).mul_add(t_4, flux_yy);
    let t_7 = V::constant(-2.0).mul_add(t_2, flux_yy);
    let t_3 = flux_yy + t_2;
    let h_1_eq_part_1 = V::constant(0.3333333333333333) * input[1];
    let h_1_eq = V::constant(-0.16666666666666666).mul_add(t_7, h_1_eq_part_1);
    let h_2_eq_part_1 = V::constant(-0.3333333333333333) * input[1];
    let h_2_eq = V::constant(-0.16666666666666666).mul_add(t_7, h_2_eq_part_1);
    let t_12 = input[2] + t_8;
    let h_3_eq = V::constant(0.3333333333333333) * t_12;
    let t_11 = input[2] - t_8;
    let h_4_eq = V::constant(-0.3333333333333333) * t_11;
    let t_6 = input[1] + input[2];
    let flux_xy = input[1] * input[2];
    let t_5 = input[1] - input[2];
    let t_10 = V::constant(0.3333333333333333).mul_add(t_3, flux_xy);
    let t_9 = V::constant(-0.3333333333333333).mul_add(t_3, flux_xy);
    let h_5_eq_part_1 = V::constant(0.08333333333333333) * t_6;
    let h_5_eq = V::constant(0.25).mul_add(t_10, h_5_eq_part_1);
    let h_6_eq_part_1 = V::constant(-0.08333333333333333) * t_6;
    let h_6_eq = V::constant(0.25).mul_add(t_10, h_6_eq_part_1);
    let h_7_eq_part_1 = V::constant(0.08333333333333333) * t_5;
    let h_7_eq = V::constant(-0.25).mul_add(t_9, h_7_eq_part_1);
    let h_8_eq_part_1 = V::constant(-0.08333333333333333) * t_5;
    let h_8_eq = V::constant(-0.25).mul_add(t_9, h_8_eq_part_1);
    h[0] = h_0_eq;
    h[1] = h_1_eq;
    h[2] = h_2_eq;
    h[3] = h_3_eq;
    h[4] = h_4_eq;
    h[5] = h_5_eq;
    h[6] = h_6_eq;
    h[7] = h_7_eq;
    h[8] = h_8_eq;
}
