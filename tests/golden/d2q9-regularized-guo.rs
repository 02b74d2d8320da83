// d2q9-regularized-guo
// Regularized on D2Q9, quasi-compressible equilibrium, force after Guo.
// Operations a node: adds 55, muls 34, divs 1, others 0; 20 adds and muls are fused in fmas.
// At most 11 values live at once.
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
    let force_y: f64 = parameters[2];
    let viscosity: f64 = parameters[0];
    let omega: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    let force_x: f64 = parameters[1];
    [
        0.5 * force_y,
        force_y,
        1.0 - omega,
        0.5 * force_x,
        force_x,
        1.5 * force_x,
        1.5 - 1.5 * omega,
    ]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 7]) {
    let [k_0, k_1, k_2, k_3, k_4, k_5, k_6] = *k;
    let t_1 = site.read(1) + site.read(5);
    let waiting_xy = site.read(5) - site.read(8);
    let t_2 = site.read(2) + site.read(8);
    let waiting_x = t_1 - t_2;
    let t_3 = t_1 + t_2;
    let waiting_y_part_1 = site.read(3) + site.read(5);
    let waiting_y = waiting_y_part_1 + site.read(8);
    let waiting_0_part_1 = site.read(0) + site.read(3);
    let waiting_0 = waiting_0_part_1 + t_3;
    let j_x_part_1 = k_3 + waiting_x;
    let j_y_part_1 = k_0 + waiting_y;
    let t_1_late = site.read(6) + site.read(7);
    let t_3_late = site.read(6) - site.read(7);
    let j_x = j_x_part_1 - t_3_late;
    let j_x_post = k_3 + j_x;
    let pi_neq_0_1_part_1 = waiting_xy + t_3_late;
    let t_2_late = site.read(4) + t_1_late;
    let j_y = j_y_part_1 - t_2_late;
    let pi_neq_1_1_part_1 = waiting_y + t_2_late;
    let delta_rho = waiting_0 + t_2_late;
    let pi_neq_0_0_part_1 = t_3 + t_1_late;
    let j_y_post = k_0 + j_y;
    let rho = V::constant(1.0) + delta_rho;
    let inverse_rho = V::constant(1.0) / rho;
    let u_y = inverse_rho * j_y;
    let flux_yy = j_y * u_y;
    let pi_neq_1_1_part_2 = pi_neq_1_1_part_1 - flux_yy;
    let pi_neq_1_1_part_3 = V::constant(-0.3333333333333333)
        .mul_add(delta_rho, pi_neq_1_1_part_2);
    let pi_neq_1_1 = k_1.mul_add(u_y, pi_neq_1_1_part_3);
    let t_6 = k_1.mul_add(u_y, flux_yy);
    let t_7 = k_2.mul_add(pi_neq_1_1, t_6);
    let u_x = j_x * inverse_rho;
    let flux_xx = j_x * u_x;
    let pi_neq_0_0_part_2 = pi_neq_0_0_part_1 - flux_xx;
    let pi_neq_0_0_part_3 = V::constant(-0.3333333333333333)
        .mul_add(delta_rho, pi_neq_0_0_part_2);
    let pi_neq_0_0 = k_4.mul_add(u_x, pi_neq_0_0_part_3);
    let flux_xy = j_x * u_y;
    let t_5_part_1 = k_5 * u_x;
    let t_5 = k_6.mul_add(pi_neq_0_0, t_5_part_1);
    let t_8 = V::constant(0.6666666666666666).mul_add(t_5, flux_xx);
    let t_9 = t_7 + t_8;
    let isotropic_post = V::constant(-1.5).mul_add(t_9, delta_rho);
    let t_4_part_1 = k_0 * u_x;
    let t_4 = k_3.mul_add(u_y, t_4_part_1);
    let pi_neq_0_1_part_2 = pi_neq_0_1_part_1 + t_4;
    let pi_neq_0_1 = pi_neq_0_1_part_2 - flux_xy;
    let p_xy_post_part_1 = flux_xy + t_4;
    let p_xy_post = k_2.mul_add(pi_neq_0_1, p_xy_post_part_1);
    let post_0 = V::constant(0.4444444444444444) * isotropic_post;
    site.write(0, post_0);
    let t_1_post = V::constant(4.5).mul_add(t_8, isotropic_post);
    let even_1_part_1 = V::constant(0.1111111111111111) * isotropic_post;
    let even_0 = V::constant(0.1111111111111111) * t_1_post;
    let post_1 = V::constant(0.3333333333333333).mul_add(j_x_post, even_0);
    site.write(1, post_1);
    let post_2 = V::constant(-0.3333333333333333).mul_add(j_x_post, even_0);
    site.write(2, post_2);
    let even_1 = V::constant(0.5).mul_add(t_7, even_1_part_1);
    let t_2_post = V::constant(0.2222222222222222).mul_add(t_1_post, t_7);
    let post_3 = V::constant(0.3333333333333333).mul_add(j_y_post, even_1);
    site.write(3, post_3);
    let post_4 = V::constant(-0.3333333333333333).mul_add(j_y_post, even_1);
    site.write(4, post_4);
    let t_3_post = j_x_post + j_y_post;
    let t_4_post = j_x_post - j_y_post;
    let odd_2 = V::constant(0.08333333333333333) * t_3_post;
    let odd_3 = V::constant(0.08333333333333333) * t_4_post;
    let even_2_part_1 = V::constant(0.25) * p_xy_post;
    let even_2 = V::constant(0.125).mul_add(t_2_post, even_2_part_1);
    let post_5 = even_2 + odd_2;
    site.write(5, post_5);
    let post_6 = even_2 - odd_2;
    site.write(6, post_6);
    let even_3_part_1 = V::constant(-0.25) * p_xy_post;
    let even_3 = V::constant(0.125).mul_add(t_2_post, even_3_part_1);
    let post_7 = even_3 + odd_3;
    site.write(7, post_7);
    let post_8 = even_3 - odd_3;
    site.write(8, post_8);
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
    let j_x_part_3 = j_x_part_2 - t_2;
    let delta_rho = delta_rho_part_3 + t_4;
    let j_y_part_3 = j_y_part_2 - t_4;
    let rho = V::constant(1.0) + delta_rho;
    let j_x = V::constant(0.5).mul_add(input[0], j_x_part_3);
    let inverse_rho = V::constant(1.0) / rho;
    let j_x_inverse_rho = j_x * inverse_rho;
    let j_y = V::constant(0.5).mul_add(input[1], j_y_part_3);
    let j_y_inverse_rho = j_y * inverse_rho;
    [rho, j_x_inverse_rho, j_y_inverse_rho, V::constant(0.0)]
}

fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]) {
    use ::lbm::core::Lanes as _;
    type V = f64;
    let input = [rho, u[0], u[1], u[2]];
    let _ = V::default();
    let t_1 = V::constant(1.0) - input[0];
    let j_y = input[0] * input[2];
    let flux_yy = input[2] * j_y;
    let j_x = input[0] * input[1];
    let flux_xx = input[1] * j_x;
    let flux_xy = input[2] * j_x;
    let t_4 = V::constant(0.6666666666666666).mul_add(t_1, flux_xx);
    let t_2 = V::constant(-0.3333333333333333).mul_add(t_1, flux_xx);
    let t_13 = flux_yy + t_4;
    let h_0_eq = V::constant(-0.6666666666666666) * t_13;
    let t_8 = V::constant(-0.5).mul_add(t_4, flux_yy);
    let t_7 = V::constant(-2.0).mul_add(t_2, flux_yy);
    let t_3 = flux_yy + t_2;
    let h_1_eq_part_1 = V::constant(0.3333333333333333) * j_x;
    let h_1_eq = V::constant(-0.16666666666666666).mul_add(t_7, h_1_eq_part_1);
    let h_2_eq_part_1 = V::constant(-0.3333333333333333) * j_x;
    let h_2_eq = V::constant(-0.16666666666666666).mul_add(t_7, h_2_eq_part_1);
    let t_12 = j_y + t_8;
    let h_3_eq = V::constant(0.3333333333333333) * t_12;
    let t_11 = j_y - t_8;
    let h_4_eq = V::constant(-0.3333333333333333) * t_11;
    let t_6 = j_x + j_y;
    let t_5 = j_x - j_y;
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
