// d2q9-recursive-regularized
// RecursiveRegularized on D2Q9, quasi-compressible equilibrium, no force.
// Operations a node: adds 56, muls 27, divs 1, others 0; 5 adds and muls are fused in fmas.
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

fn uniforms(parameters: &[f64]) -> [f64; 2] {
    let viscosity: f64 = parameters[0];
    let omega: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    [0.3333333333333333 - 0.3333333333333333 * omega, 1.0 - omega]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 2]) {
    let [k_0, k_1] = *k;
    let t_1 = site.read(1) + site.read(5);
    let waiting_xy = site.read(5) - site.read(8);
    let t_2 = site.read(2) + site.read(8);
    let waiting_x = t_1 - t_2;
    let t_3 = t_1 + t_2;
    let waiting_y_part_1 = site.read(3) + site.read(5);
    let waiting_y = waiting_y_part_1 + site.read(8);
    let waiting_0_part_1 = site.read(0) + site.read(3);
    let waiting_0 = waiting_0_part_1 + t_3;
    let t_1_late = site.read(6) + site.read(7);
    let t_3_late = site.read(6) - site.read(7);
    let t_2_late = site.read(4) + t_1_late;
    let central_x_20_part_1 = t_3 + t_1_late;
    let delta_rho = waiting_0 + t_2_late;
    let j_x = waiting_x - t_3_late;
    let central_x_11_part_1 = waiting_xy + t_3_late;
    let rho = V::constant(1.0) + delta_rho;
    let inverse_rho = V::constant(1.0) / rho;
    let u_x = j_x * inverse_rho;
    let j_x_u_x = j_x * u_x;
    let central_x_20 = central_x_20_part_1 - j_x_u_x;
    let stress_xx_post_part_1 = -k_0 * delta_rho;
    let stress_xx_post = k_1.mul_add(central_x_20, stress_xx_post_part_1);
    let j_y = waiting_y - t_2_late;
    let central_y_02_part_1 = waiting_y + t_2_late;
    let u_y = j_y * inverse_rho;
    let j_x_u_y = j_x * u_y;
    let central_x_11 = central_x_11_part_1 - j_x_u_y;
    let stress_xy_post = k_1 * central_x_11;
    let j_y_u_y = j_y * u_y;
    let central_y_02 = central_y_02_part_1 - j_y_u_y;
    let stress_yy_post = k_1.mul_add(central_y_02, stress_xx_post_part_1);
    let t_1_post = V::constant(0.3333333333333333).mul_add(delta_rho, stress_xx_post);
    let raw_x_20 = j_x_u_x + t_1_post;
    let by_velocity_1 = V::constant(0.3333333333333333) + raw_x_20;
    let with_velocity_1 = u_y * by_velocity_1;
    let t_5 = stress_yy_post + t_1_post;
    let central_02 = V::constant(0.3333333333333333).mul_add(delta_rho, stress_yy_post);
    let raw_y_02 = j_y_u_y + central_02;
    let by_velocity_0 = V::constant(0.3333333333333333) + central_02;
    let raw_x_12 = u_x * by_velocity_0;
    let post_0_part_1 = delta_rho - raw_y_02;
    let velocity_0_raw_x_12 = u_x * raw_x_12;
    let stress_xy_post_velocity_0 = stress_xy_post * u_x;
    let raw_x_21 = V::constant(2.0) * stress_xy_post_velocity_0;
    let raw_y_21 = raw_x_21 + with_velocity_1;
    let by_velocity_1_again_2 = raw_x_21 + raw_y_21;
    let with_velocity_1_again_2 = u_y * by_velocity_1_again_2;
    let raw_y_22_part_1 = velocity_0_raw_x_12 + with_velocity_1_again_2;
    let raw_y_22 = V::constant(0.3333333333333333).mul_add(t_5, raw_y_22_part_1);
    let t_2_post = raw_x_20 - raw_y_22;
    let post_0 = post_0_part_1 - t_2_post;
    site.write(0, post_0);
    let even_0 = V::constant(0.5) * t_2_post;
    let t_6 = raw_y_02 - raw_y_22;
    let even_1 = V::constant(0.5) * t_6;
    let t_4 = j_y - raw_y_21;
    let odd_1 = V::constant(0.5) * t_4;
    let post_3 = even_1 + odd_1;
    site.write(3, post_3);
    let post_4 = even_1 - odd_1;
    site.write(4, post_4);
    let raw_y_11 = j_x_u_y + stress_xy_post;
    let by_velocity_1_again_3 = stress_xy_post + raw_y_11;
    let with_velocity_1_again_3 = u_y * by_velocity_1_again_3;
    let raw_y_12 = raw_x_12 + with_velocity_1_again_3;
    let t_3_post = j_x - raw_y_12;
    let odd_0 = V::constant(0.5) * t_3_post;
    let post_1 = even_0 + odd_0;
    site.write(1, post_1);
    let post_2 = even_0 - odd_0;
    site.write(2, post_2);
    let t_9 = raw_y_22 + raw_y_11;
    let t_10 = raw_y_22 - raw_y_11;
    let even_2 = V::constant(0.25) * t_9;
    let even_3 = V::constant(0.25) * t_10;
    let t_7 = raw_y_21 + raw_y_12;
    let t_8 = raw_y_21 - raw_y_12;
    let odd_2 = V::constant(0.25) * t_7;
    let post_5 = even_2 + odd_2;
    site.write(5, post_5);
    let post_6 = even_2 - odd_2;
    site.write(6, post_6);
    let odd_3 = V::constant(-0.25) * t_8;
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
    let delta_rho = input[0] - V::constant(1.0);
    let u_x_delta_rho = input[1] * delta_rho;
    let raw_x_10_2 = input[1] + u_x_delta_rho;
    let u_x_raw_x_10_2 = input[1] * raw_x_10_2;
    let raw_x_20_2 = V::constant(0.3333333333333333).mul_add(delta_rho, u_x_raw_x_10_2);
    let u_y_delta_rho = input[2] * delta_rho;
    let raw_y_01_2 = input[2] + u_y_delta_rho;
    let u_y_raw_y_01_2 = input[2] * raw_y_01_2;
    let raw_y_02_2 = V::constant(0.3333333333333333).mul_add(delta_rho, u_y_raw_y_01_2);
    let raw_x_12_2 = V::constant(0.3333333333333333) * raw_x_10_2;
    let u_x_raw_x_12_2 = input[1] * raw_x_12_2;
    let by_u_y = V::constant(0.3333333333333333) + raw_x_20_2;
    let raw_y_21_2 = input[2] * by_u_y;
    let u_y_raw_y_21_2 = input[2] * raw_y_21_2;
    let raw_y_22_2_part_1 = u_x_raw_x_12_2 + u_y_raw_y_21_2;
    let raw_y_22_2 = V::constant(0.1111111111111111)
        .mul_add(delta_rho, raw_y_22_2_part_1);
    let t_3 = raw_y_02_2 - raw_y_22_2;
    let h_0_eq_part_1 = delta_rho - raw_x_20_2;
    let h_0_eq = h_0_eq_part_1 - t_3;
    let raw_y_11_2 = input[2] * raw_x_10_2;
    let u_y_raw_y_11_2 = input[2] * raw_y_11_2;
    let raw_y_12_2 = u_y_raw_y_11_2 + raw_x_12_2;
    let t_2 = raw_y_22_2 + raw_y_12_2;
    let t_8 = raw_x_10_2 + raw_x_20_2;
    let t_14 = t_2 - t_8;
    let h_1_eq = V::constant(-0.5) * t_14;
    let t_1 = raw_y_22_2 - raw_y_12_2;
    let t_7 = raw_x_10_2 - raw_x_20_2;
    let t_11 = t_1 + t_7;
    let h_2_eq = V::constant(-0.5) * t_11;
    let t_4 = raw_y_01_2 - raw_y_21_2;
    let t_16 = t_3 + t_4;
    let h_3_eq = V::constant(0.5) * t_16;
    let t_15 = t_3 - t_4;
    let h_4_eq = V::constant(0.5) * t_15;
    let t_6 = raw_y_11_2 + raw_y_21_2;
    let t_13 = t_2 + t_6;
    let h_5_eq = V::constant(0.25) * t_13;
    let t_5 = raw_y_11_2 - raw_y_21_2;
    let t_10 = t_1 + t_5;
    let h_6_eq = V::constant(0.25) * t_10;
    let t_12 = t_2 - t_6;
    let h_7_eq = V::constant(0.25) * t_12;
    let t_9 = t_1 - t_5;
    let h_8_eq = V::constant(0.25) * t_9;
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
