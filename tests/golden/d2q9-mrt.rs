// d2q9-mrt
// Mrt on D2Q9, quasi-compressible equilibrium, no force.
// Operations a node: adds 54, muls 39, divs 1, others 0; 19 adds and muls are fused in fmas.
// At most 13 values live at once.
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

fn uniforms(parameters: &[f64]) -> [f64; 7] {
    let rates_xx_trace: f64 = parameters[1];
    let rates_xxxx_trace: f64 = parameters[4];
    let viscosity: f64 = parameters[0];
    let omega: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    let rates_xxx_trace: f64 = parameters[2];
    let rates_xxy_trace: f64 = parameters[3];
    [
        3.0 * rates_xx_trace,
        1.0 - rates_xx_trace,
        1.0 - rates_xxxx_trace,
        1.0 - omega,
        omega,
        1.0 - rates_xxx_trace,
        1.0 - rates_xxy_trace,
    ]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 7]) {
    let [k_0, k_1, k_2, k_3, k_4, k_5, k_6] = *k;
    let t_1 = site.read(5) + site.read(7);
    let t_6 = site.read(5) - site.read(7);
    let t_2 = site.read(6) + site.read(8);
    let t_7 = site.read(6) - site.read(8);
    let t_5 = t_1 + t_2;
    let t_15 = t_1 - t_2;
    let t_16 = t_6 - t_7;
    let m_5 = t_6 + t_7;
    let delta_rho_part_1 = site.read(0) + t_5;
    let m_8_part_1 = V::constant(4.0).mul_add(t_5, site.read(0));
    let t_3 = site.read(1) + site.read(2);
    let t_17 = site.read(1) - site.read(2);
    let j_x = t_15 + t_17;
    let m_6 = V::constant(2.0).mul_add(t_15, -t_17);
    let post_6 = k_5 * m_6;
    let odd_0_part_1 = V::constant(0.3333333333333333) * j_x;
    let odd_0 = V::constant(-0.16666666666666666).mul_add(post_6, odd_0_part_1);
    let t_9 = j_x + post_6;
    let t_4 = site.read(3) + site.read(4);
    let t_18 = site.read(3) - site.read(4);
    let t_8 = t_3 + t_4;
    let m_4 = t_3 - t_4;
    let delta_rho = delta_rho_part_1 + t_8;
    let m_3_part_1 = V::constant(-2.0).mul_add(site.read(0), t_8);
    let m_3 = V::constant(4.0).mul_add(t_5, m_3_part_1);
    let m_8 = V::constant(-2.0).mul_add(t_8, m_8_part_1);
    let post_8 = k_2 * m_8;
    let post_4_part_1 = k_3 * m_4;
    let rho = V::constant(1.0) + delta_rho;
    let inverse_rho = V::constant(1.0) / rho;
    let u_x = j_x * inverse_rho;
    let flux_xx = j_x * u_x;
    let j_y = t_16 + t_18;
    let m_7 = V::constant(2.0).mul_add(t_16, -t_18);
    let u_y = j_y * inverse_rho;
    let post_7 = k_6 * m_7;
    let flux_xy = j_x * u_y;
    let flux_yy = j_y * u_y;
    let post_5_part_1 = k_4 * flux_xy;
    let post_5 = k_3.mul_add(m_5, post_5_part_1);
    let flux_trace = flux_xx + flux_yy;
    let m_eq_4 = flux_xx - flux_yy;
    let post_4 = k_4.mul_add(m_eq_4, post_4_part_1);
    let post_3_part_1 = k_0 * flux_trace;
    let post_3 = k_1.mul_add(m_3, post_3_part_1);
    let post_0_part_1 = V::constant(0.4444444444444444) * delta_rho;
    let post_0_part_2 = V::constant(-0.2222222222222222).mul_add(post_3, post_0_part_1);
    let post_0 = V::constant(0.1111111111111111).mul_add(post_8, post_0_part_2);
    site.write(0, post_0);
    let t_13 = V::constant(0.25).mul_add(post_3, delta_rho);
    let t_11 = delta_rho + post_3;
    let t_14 = V::constant(-2.0).mul_add(t_13, post_8);
    let t_12 = post_8 + t_11;
    let even_0_part_1 = V::constant(0.25) * post_4;
    let even_0 = V::constant(-0.05555555555555555).mul_add(t_14, even_0_part_1);
    let post_1 = even_0 + odd_0;
    site.write(1, post_1);
    let post_2 = even_0 - odd_0;
    site.write(2, post_2);
    let even_1_part_1 = V::constant(-0.25) * post_4;
    let even_1 = V::constant(-0.05555555555555555).mul_add(t_14, even_1_part_1);
    let odd_1_part_1 = V::constant(0.3333333333333333) * j_y;
    let odd_1 = V::constant(-0.16666666666666666).mul_add(post_7, odd_1_part_1);
    let t_10 = j_y + post_7;
    let post_3_again_2 = even_1 + odd_1;
    site.write(3, post_3_again_2);
    let post_4_again_2 = even_1 - odd_1;
    site.write(4, post_4_again_2);
    let even_2_part_1 = V::constant(0.25) * post_5;
    let even_2 = V::constant(0.027777777777777776).mul_add(t_12, even_2_part_1);
    let even_3_part_1 = V::constant(-0.25) * post_5;
    let even_3 = V::constant(0.027777777777777776).mul_add(t_12, even_3_part_1);
    let t_19 = t_9 + t_10;
    let t_20 = t_9 - t_10;
    let odd_2 = V::constant(0.08333333333333333) * t_19;
    let post_5_again_2 = even_2 + odd_2;
    site.write(5, post_5_again_2);
    let post_6_again_2 = even_2 - odd_2;
    site.write(6, post_6_again_2);
    let odd_3 = V::constant(0.08333333333333333) * t_20;
    let post_7_again_2 = even_3 + odd_3;
    site.write(7, post_7_again_2);
    let post_8_again_2 = even_3 - odd_3;
    site.write(8, post_8_again_2);
}

#[inline(always)]
fn macroscopic<V: ::lbm::core::Lanes<Scalar = f64>>(h: &[V], force: [V; 3]) -> [V; 4] {
    let input = force;
    let _ = input;
    let t_1 = h[1] + h[5];
    let delta_rho_part_1 = h[0] + t_1;
    let j_x_part_1 = h[7] + t_1;
    let t_4 = h[4] + h[7];
    let j_x_part_2 = j_x_part_1 - h[8];
    let t_3 = h[3] + h[8];
    let j_y_part_1 = h[5] + t_3;
    let j_y_part_2 = j_y_part_1 - h[6];
    let t_2 = h[2] + h[6];
    let delta_rho_part_2 = delta_rho_part_1 + t_2;
    let delta_rho_part_3 = delta_rho_part_2 + t_3;
    let j_x = j_x_part_2 - t_2;
    let delta_rho = delta_rho_part_3 + t_4;
    let j_y = j_y_part_2 - t_4;
    let rho = V::constant(1.0) + delta_rho;
    let inverse_rho = V::constant(1.0) / rho;
    let j_x_inverse_rho = j_x * inverse_rho;
    let j_y_inverse_rho = j_y * inverse_rho;
    [rho, j_x_inverse_rho, j_y_inverse_rho, V::constant(0.0)]
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
    let flux_trace = flux_xx + flux_yy;
    let t_1 = V::constant(1.0) - input[0];
    let t_2 = V::constant(0.6666666666666666).mul_add(t_1, flux_trace);
    let h_0_eq = V::constant(-0.6666666666666666) * t_2;
    let t_3 = V::constant(-0.3333333333333333).mul_add(t_2, flux_xx);
    let h_1_eq_part_1 = V::constant(0.3333333333333333) * j_x;
    let h_1_eq = V::constant(0.5).mul_add(t_3, h_1_eq_part_1);
    let h_2_eq_part_1 = V::constant(-0.3333333333333333) * j_x;
    let h_2_eq = V::constant(0.5).mul_add(t_3, h_2_eq_part_1);
    let t_7 = V::constant(-0.3333333333333333).mul_add(t_2, flux_yy);
    let h_3_eq_part_1 = V::constant(0.3333333333333333) * j_y;
    let h_3_eq = V::constant(0.5).mul_add(t_7, h_3_eq_part_1);
    let h_4_eq_part_1 = V::constant(-0.3333333333333333) * j_y;
    let h_4_eq = V::constant(0.5).mul_add(t_7, h_4_eq_part_1);
    let t_5 = j_x + j_y;
    let flux_xy = input[2] * j_x;
    let t_4 = flux_yy + t_3;
    let t_9 = V::constant(0.5).mul_add(t_4, flux_xy);
    let h_5_eq_part_1 = V::constant(0.08333333333333333) * t_5;
    let h_5_eq = V::constant(0.25).mul_add(t_9, h_5_eq_part_1);
    let h_6_eq_part_1 = V::constant(-0.08333333333333333) * t_5;
    let h_6_eq = V::constant(0.25).mul_add(t_9, h_6_eq_part_1);
    let t_6 = j_x - j_y;
    let t_8 = V::constant(-0.5).mul_add(t_4, flux_xy);
    let h_7_eq_part_1 = V::constant(0.08333333333333333) * t_6;
    let h_7_eq = V::constant(-0.25).mul_add(t_8, h_7_eq_part_1);
    let h_8_eq_part_1 = V::constant(-0.08333333333333333) * t_6;
    let h_8_eq = V::constant(-0.25).mul_add(t_8, h_8_eq_part_1);
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
