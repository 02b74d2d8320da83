// d2q9-trt-incompressible
// Trt on D2Q9, incompressible equilibrium, no force.
// Operations a node: adds 42, muls 27, divs 0, others 0; 15 adds and muls are fused in fmas.
// At most 15 values live at once.
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

fn uniforms(parameters: &[f64]) -> [f64; 10] {
    let viscosity: f64 = parameters[0];
    let omega_even: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    let magic: f64 = parameters[1];
    let inverse_viscosity: f64 = 1.0 / (viscosity);
    let omega_odd: f64 = 1.0 / (0.5 + 0.3333333333333333 * magic * inverse_viscosity);
    [
        1.0 - omega_even,
        0.4444444444444444 * omega_even,
        0.5 * omega_even,
        0.5 - 0.5 * omega_even,
        0.1111111111111111 * omega_even,
        0.5 - 0.5 * omega_odd,
        0.3333333333333333 * omega_odd,
        0.25 * omega_even,
        0.125 * omega_even,
        0.08333333333333333 * omega_odd,
    ]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 10]) {
    let [k_0, k_1, k_2, k_3, k_4, k_5, k_6, k_7, k_8, k_9] = *k;
    let sum_1 = site.read(1) + site.read(2);
    let sum_3 = site.read(3) + site.read(4);
    let sum_5 = site.read(5) + site.read(6);
    let sum_7 = site.read(7) + site.read(8);
    let delta_rho_part_1 = site.read(0) + sum_1;
    let delta_rho_part_2 = delta_rho_part_1 + sum_3;
    let delta_rho_part_3 = delta_rho_part_2 + sum_5;
    let delta_rho = delta_rho_part_3 + sum_7;
    let difference_5 = site.read(5) - site.read(6);
    let difference_7 = site.read(7) - site.read(8);
    let difference_1 = site.read(1) - site.read(2);
    let u_x_part_1 = difference_5 + difference_7;
    let u_x = u_x_part_1 + difference_1;
    let flux_xx = u_x * u_x;
    let difference_3 = site.read(3) - site.read(4);
    let u_y_part_1 = difference_5 + difference_3;
    let u_y = u_y_part_1 - difference_7;
    let flux_yy = u_y * u_y;
    let flux_trace = flux_xx + flux_yy;
    let t_1 = V::constant(-1.5).mul_add(flux_trace, delta_rho);
    let post_0_part_1 = k_0 * site.read(0);
    let post_0 = k_1.mul_add(t_1, post_0_part_1);
    site.write(0, post_0);
    let even_0_part_1 = k_2 * flux_xx;
    let even_0_part_2 = k_3.mul_add(sum_1, even_0_part_1);
    let even_0 = k_4.mul_add(t_1, even_0_part_2);
    let odd_0_part_1 = k_5 * difference_1;
    let odd_0 = k_6.mul_add(u_x, odd_0_part_1);
    let post_1 = even_0 + odd_0;
    site.write(1, post_1);
    let post_2 = even_0 - odd_0;
    site.write(2, post_2);
    let even_1_part_1 = k_2 * flux_yy;
    let even_1_part_2 = k_3.mul_add(sum_3, even_1_part_1);
    let even_1 = k_4.mul_add(t_1, even_1_part_2);
    let odd_1_part_1 = k_5 * difference_3;
    let odd_1 = k_6.mul_add(u_y, odd_1_part_1);
    let post_3 = even_1 + odd_1;
    site.write(3, post_3);
    let post_4 = even_1 - odd_1;
    site.write(4, post_4);
    let flux_xy = u_x * u_y;
    let t_2 = V::constant(0.2222222222222222).mul_add(t_1, flux_trace);
    let even_2_part_1 = k_7 * flux_xy;
    let even_2_part_2 = k_3.mul_add(sum_5, even_2_part_1);
    let even_2 = k_8.mul_add(t_2, even_2_part_2);
    let t_3 = u_x + u_y;
    let odd_2_part_1 = k_5 * difference_5;
    let odd_2 = k_9.mul_add(t_3, odd_2_part_1);
    let post_5 = even_2 + odd_2;
    site.write(5, post_5);
    let post_6 = even_2 - odd_2;
    site.write(6, post_6);
    let even_3_part_1 = -k_7 * flux_xy;
    let even_3_part_2 = k_3.mul_add(sum_7, even_3_part_1);
    let even_3 = k_8.mul_add(t_2, even_3_part_2);
    let t_4 = u_x - u_y;
    let odd_3_part_1 = k_5 * difference_7;
    let odd_3 = k_9.mul_add(t_4, odd_3_part_1);
    let post_7 = even_3 + odd_3;
    site.write(7, post_7);
    let post_8 = even_3 - odd_3;
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
    let flux_xx = input[1] * input[1];
    let flux_yy = input[2] * input[2];
    let flux_trace = flux_xx + flux_yy;
    let t_1 = V::constant(1.0) - input[0];
    let t_2 = V::constant(0.6666666666666666).mul_add(t_1, flux_trace);
    let h_0_eq = V::constant(-0.6666666666666666) * t_2;
    let t_3 = V::constant(-0.3333333333333333).mul_add(t_2, flux_xx);
    let h_1_eq_part_1 = V::constant(0.3333333333333333) * input[1];
    let h_1_eq = V::constant(0.5).mul_add(t_3, h_1_eq_part_1);
    let h_2_eq_part_1 = V::constant(-0.3333333333333333) * input[1];
    let h_2_eq = V::constant(0.5).mul_add(t_3, h_2_eq_part_1);
    let t_7 = V::constant(-0.3333333333333333).mul_add(t_2, flux_yy);
    let h_3_eq_part_1 = V::constant(0.3333333333333333) * input[2];
    let h_3_eq = V::constant(0.5).mul_add(t_7, h_3_eq_part_1);
    let h_4_eq_part_1 = V::constant(-0.3333333333333333) * input[2];
    let h_4_eq = V::constant(0.5).mul_add(t_7, h_4_eq_part_1);
    let t_5 = input[1] + input[2];
    let flux_xy = input[1] * input[2];
    let t_4 = flux_yy + t_3;
    let t_9 = V::constant(0.5).mul_add(t_4, flux_xy);
    let h_5_eq_part_1 = V::constant(0.08333333333333333) * t_5;
    let h_5_eq = V::constant(0.25).mul_add(t_9, h_5_eq_part_1);
    let h_6_eq_part_1 = V::constant(-0.08333333333333333) * t_5;
    let h_6_eq = V::constant(0.25).mul_add(t_9, h_6_eq_part_1);
    let t_6 = input[1] - input[2];
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
