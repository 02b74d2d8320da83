// d2q9-bgk-guo
// Bgk on D2Q9, quasi-compressible equilibrium, force after Guo.
// Operations a node: adds 57, muls 38, divs 1, others 0; 28 adds and muls are fused in fmas.
// At most 18 values live at once.
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

fn uniforms(parameters: &[f64]) -> [f64; 22] {
    let force_y: f64 = parameters[2];
    let force_x: f64 = parameters[1];
    let viscosity: f64 = parameters[0];
    let omega: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    [
        0.5 * force_y,
        0.5 * force_x,
        1.3333333333333333 * force_x - 0.6666666666666666 * force_x * omega,
        0.4444444444444444 * omega,
        1.0 - omega,
        1.3333333333333333 * force_y - 0.6666666666666666 * force_y * omega,
        0.6666666666666666 * force_x - 0.3333333333333333 * force_x * omega,
        0.3333333333333333 * force_y - 0.16666666666666666 * force_y * omega,
        0.5 * omega,
        0.1111111111111111 * omega,
        0.3333333333333333 * force_x - 0.16666666666666666 * force_x * omega,
        0.3333333333333333 * omega,
        0.6666666666666666 * force_y - 0.3333333333333333 * force_y * omega,
        0.16666666666666666 * force_x - 0.08333333333333333 * force_x * omega
            + 0.25 * force_y - 0.125 * force_y * omega,
        0.25 * force_x - 0.125 * force_x * omega + 0.16666666666666666 * force_y
            - 0.08333333333333333 * force_y * omega,
        0.25 * omega,
        0.125 * omega,
        0.08333333333333333 * force_x - 0.041666666666666664 * force_x * omega
            + 0.08333333333333333 * force_y - 0.041666666666666664 * force_y * omega,
        0.08333333333333333 * omega,
        0.16666666666666666 * force_x - 0.08333333333333333 * force_x * omega
            - 0.25 * force_y + 0.125 * force_y * omega,
        0.25 * force_x - 0.125 * force_x * omega - 0.16666666666666666 * force_y
            + 0.08333333333333333 * force_y * omega,
        0.08333333333333333 * force_x - 0.041666666666666664 * force_x * omega
            - 0.08333333333333333 * force_y + 0.041666666666666664 * force_y * omega,
    ]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 22]) {
    let [k_0, k_1, k_2, k_3, k_4, k_5, k_6, k_7, k_8, k_9, k_10, k_11, k_12, k_13, k_14,
    k_15, k_16, k_17, k_18, k_19, k_20, k_21] = *k;
    let j_y_part_1 = k_0 + site.read(3);
    let j_y_part_2 = j_y_part_1 + site.read(5);
    let j_y_part_3 = j_y_part_2 - site.read(4);
    let j_y_part_4 = j_y_part_3 - site.read(6);
    let t_3 = site.read(1) + site.read(5);
    let j_x_part_1 = k_1 + t_3;
    let t_4 = site.read(2) + site.read(6);
    let delta_rho_part_1 = site.read(0) + site.read(3);
    let delta_rho_part_2 = delta_rho_part_1 + site.read(4);
    let delta_rho_part_3 = delta_rho_part_2 + site.read(7);
    let delta_rho_part_4 = delta_rho_part_3 + site.read(8);
    let delta_rho_part_5 = delta_rho_part_4 + t_3;
    let delta_rho = delta_rho_part_5 + t_4;
    let t_5 = site.read(7) - site.read(8);
    let j_y = j_y_part_4 - t_5;
    let j_x_part_2 = j_x_part_1 + t_5;
    let j_x = j_x_part_2 - t_4;
    let rho = V::constant(1.0) + delta_rho;
    let inverse_rho = V::constant(1.0) / rho;
    let u_y = j_y * inverse_rho;
    let u_x = j_x * inverse_rho;
    let flux_xx = j_x * u_x;
    let flux_yy = j_y * u_y;
    let flux_trace = flux_xx + flux_yy;
    let t_1 = V::constant(-1.5).mul_add(flux_trace, delta_rho);
    let t_2 = V::constant(0.2222222222222222).mul_add(t_1, flux_trace);
    let t_8_part_1 = k_2 * u_x;
    let t_8 = (-k_3).mul_add(t_1, t_8_part_1);
    let post_0_part_1 = k_4.mul_add(site.read(0), -t_8);
    let post_0 = (-k_5).mul_add(u_y, post_0_part_1);
    site.write(0, post_0);
    let even_0_part_1 = k_6 * u_x;
    let even_0_part_2 = (-k_7).mul_add(u_y, even_0_part_1);
    let even_0_part_3 = k_8.mul_add(flux_xx, even_0_part_2);
    let even_0 = k_9.mul_add(t_1, even_0_part_3);
    let odd_0 = k_11.mul_add(j_x, k_10);
    let post_1_part_1 = even_0 + odd_0;
    let post_1 = k_4.mul_add(site.read(1), post_1_part_1);
    site.write(1, post_1);
    let post_2_part_1 = even_0 - odd_0;
    let post_2 = k_4.mul_add(site.read(2), post_2_part_1);
    site.write(2, post_2);
    let even_1_part_1 = k_12 * u_y;
    let even_1_part_2 = k_8.mul_add(flux_yy, even_1_part_1);
    let even_1 = V::constant(-0.25).mul_add(t_8, even_1_part_2);
    let odd_1 = k_11.mul_add(j_y, k_7);
    let post_3_part_1 = even_1 + odd_1;
    let post_3 = k_4.mul_add(site.read(3), post_3_part_1);
    site.write(3, post_3);
    let post_4_part_1 = even_1 - odd_1;
    let post_4 = k_4.mul_add(site.read(4), post_4_part_1);
    site.write(4, post_4);
    let flux_xy = j_x * u_y;
    let even_2_part_1 = k_13 * u_x;
    let even_2_part_2 = k_14.mul_add(u_y, even_2_part_1);
    let even_2_part_3 = k_15.mul_add(flux_xy, even_2_part_2);
    let even_2 = k_16.mul_add(t_2, even_2_part_3);
    let even_3_part_1 = k_19 * u_x;
    let even_3_part_2 = (-k_20).mul_add(u_y, even_3_part_1);
    let even_3_part_3 = (-k_15).mul_add(flux_xy, even_3_part_2);
    let even_3 = k_16.mul_add(t_2, even_3_part_3);
    let t_7 = j_x + j_y;
    let t_6 = j_x - j_y;
    let odd_2 = k_18.mul_add(t_7, k_17);
    let odd_3 = k_18.mul_add(t_6, k_21);
    let post_5_part_1 = even_2 + odd_2;
    let post_5 = k_4.mul_add(site.read(5), post_5_part_1);
    site.write(5, post_5);
    let post_6_part_1 = even_2 - odd_2;
    let post_6 = k_4.mul_add(site.read(6), post_6_part_1);
    site.write(6, post_6);
    let post_7_part_1 = even_3 + odd_3;
    let post_7 = k_4.mul_add(site.read(7), post_7_part_1);
    site.write(7, post_7);
    let post_8_part_1 = even_3 - odd_3;
    let post_8 = k_4.mul_add(site.read(8), post_8_part_1);
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
