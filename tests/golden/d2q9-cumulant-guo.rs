// d2q9-cumulant-guo
// Cumulant on D2Q9, quasi-compressible equilibrium, force after Guo.
// Operations a node: adds 99, muls 65, divs 1, others 0; 18 adds and muls are fused in fmas.
// At most 20 values live at once.
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
    let force_x: f64 = parameters[1];
    let viscosity: f64 = parameters[0];
    let omega: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    let bulk: f64 = parameters[3];
    let third: f64 = parameters[4];
    let fourth: f64 = parameters[5];
    [
        0.5 * force_y,
        0.5 * force_x,
        0.3333333333333333 * omega,
        bulk - omega,
        1.0 - omega,
        1.0 - third,
        1.0 - fourth,
    ]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 7]) {
    let [k_0, k_1, k_2, k_3, k_4, k_5, k_6] = *k;
    let j_y_part_1 = k_0 + site.read(3);
    let t_9 = site.read(3) + site.read(4);
    let delta_rho_part_1 = site.read(0) + t_9;
    let j_x_part_1 = k_1 + site.read(1);
    let t_8 = site.read(1) + site.read(2);
    let t_2 = site.read(5) + site.read(7);
    let t_5 = site.read(5) - site.read(7);
    let t_3 = site.read(6) + site.read(8);
    let t_6 = site.read(6) - site.read(8);
    let t_4 = t_2 + t_3;
    let raw_12 = t_2 - t_3;
    let t_11 = t_4 + t_8;
    let delta_rho = delta_rho_part_1 + t_11;
    let raw_02 = t_4 + t_9;
    let j_x_part_2 = j_x_part_1 + raw_12;
    let j_x = j_x_part_2 - site.read(2);
    let t_12 = t_5 - t_6;
    let raw_11 = t_5 + t_6;
    let j_y_part_2 = j_y_part_1 + t_12;
    let j_y = j_y_part_2 - site.read(4);
    let rho = V::constant(1.0) + delta_rho;
    let inverse_rho = V::constant(1.0) / rho;
    let j_y_inverse_rho = j_y * inverse_rho;
    let raw_01 = j_y - k_0;
    let delta_rho_inverse_rho = delta_rho * inverse_rho;
    let t_1 = V::constant(1.0) - delta_rho_inverse_rho;
    let to_cumulants_about_y = (-k_0).mul_add(t_1, j_y_inverse_rho);
    let from_cumulants_about_y = k_0.mul_add(t_1, j_y_inverse_rho);
    let delta_rho_to_cumulants_about_y = delta_rho * to_cumulants_about_y;
    let central_y_01_part_1 = raw_01 - delta_rho_to_cumulants_about_y;
    let central_y_01 = central_y_01_part_1 - to_cumulants_about_y;
    let by_to_cumulants_about_y = -raw_01 - central_y_01;
    let with_to_cumulants_about_y = to_cumulants_about_y * by_to_cumulants_about_y;
    let central_y_02 = raw_02 + with_to_cumulants_about_y;
    let by_to_cumulants_about_x_again_2 = V::constant(-0.3333333333333333) - raw_02;
    let j_x_inverse_rho = j_x * inverse_rho;
    let raw_10 = j_x - k_1;
    let to_cumulants_about_x = (-k_1).mul_add(t_1, j_x_inverse_rho);
    let from_cumulants_about_x = k_1.mul_add(t_1, j_x_inverse_rho);
    let to_cumulants_about_x_raw_01 = to_cumulants_about_x * raw_01;
    let central_x_11 = raw_11 - to_cumulants_about_x_raw_01;
    let with_to_cumulants_about_x_again_2 = to_cumulants_about_x
        * by_to_cumulants_about_x_again_2;
    let central_x_12 = raw_12 + with_to_cumulants_about_x_again_2;
    let by_to_cumulants_about_x_again_3 = -raw_12 - central_x_12;
    let with_to_cumulants_about_x_again_3 = to_cumulants_about_x
        * by_to_cumulants_about_x_again_3;
    let by_to_cumulants_about_x_again_4 = -raw_11 - central_x_11;
    let with_to_cumulants_about_x_again_4 = to_cumulants_about_x
        * by_to_cumulants_about_x_again_4;
    let central_x_21 = with_to_cumulants_about_x_again_4 + t_12;
    let delta_rho_to_cumulants_about_x = delta_rho * to_cumulants_about_x;
    let central_x_10_part_1 = raw_10 - delta_rho_to_cumulants_about_x;
    let central_x_10 = central_x_10_part_1 - to_cumulants_about_x;
    let by_to_cumulants_about_x = -raw_10 - central_x_10;
    let with_to_cumulants_about_x = to_cumulants_about_x * by_to_cumulants_about_x;
    let central_x_20 = with_to_cumulants_about_x + t_11;
    let to_cumulants_about_y_central_x_10 = to_cumulants_about_y * central_x_10;
    let central_y_11 = central_x_11 - to_cumulants_about_y_central_x_10;
    let by_to_cumulants_about_y_again_4 = -central_x_11 - central_y_11;
    let with_to_cumulants_about_y_again_4 = to_cumulants_about_y
        * by_to_cumulants_about_y_again_4;
    let central_y_12 = central_x_12 + with_to_cumulants_about_y_again_4;
    let post_7 = k_5 * central_y_12;
    let t_13 = central_x_20 + central_y_02;
    let trace_part_1 = V::constant(-0.3333333333333333) * delta_rho;
    let trace = V::constant(0.5).mul_add(t_13, trace_part_1);
    let t_10_part_1 = k_2 * delta_rho;
    let t_10 = (-k_3).mul_add(trace, t_10_part_1);
    let post_4 = k_4.mul_add(central_y_02, t_10);
    let post_2 = k_4.mul_add(central_x_20, t_10);
    let delta_rho_from_cumulants_about_y = delta_rho * from_cumulants_about_y;
    let raw_y_01 = delta_rho_from_cumulants_about_y + from_cumulants_about_y;
    let from_cumulants_about_y_raw_y_01 = from_cumulants_about_y * raw_y_01;
    let raw_y_02 = post_4 + from_cumulants_about_y_raw_y_01;
    let delta_rho_from_cumulants_about_x = delta_rho * from_cumulants_about_x;
    let raw_x_10 = delta_rho_from_cumulants_about_x + from_cumulants_about_x;
    let post_0_part_1 = delta_rho - raw_y_02;
    let from_cumulants_about_x_raw_x_10 = from_cumulants_about_x * raw_x_10;
    let raw_x_20 = post_2 + from_cumulants_about_x_raw_x_10;
    let inverse_rho_post_2 = inverse_rho * post_2;
    let inverse_rho_central_x_20 = inverse_rho * central_x_20;
    let by_to_cumulants_about_y_again_2 = V::constant(-0.3333333333333333)
        - central_x_20;
    let with_to_cumulants_about_y_again_2 = to_cumulants_about_y
        * by_to_cumulants_about_y_again_2;
    let central_y_21 = central_x_21 + with_to_cumulants_about_y_again_2;
    let by_to_cumulants_about_y_again_3 = -central_x_21 - central_y_21;
    let with_to_cumulants_about_y_again_3 = to_cumulants_about_y
        * by_to_cumulants_about_y_again_3;
    let cumulant_22_part_1 = with_to_cumulants_about_x_again_3
        + with_to_cumulants_about_y_again_3;
    let raw_x_21_part_1 = k_5 * central_y_21;
    let inverse_rho_central_y_11 = inverse_rho * central_y_11;
    let inverse_rho_central_y_11_central_y_11 = inverse_rho_central_y_11 * central_y_11;
    let post_5 = k_4 * central_y_11;
    let by_central_y_02 = V::constant(-0.3333333333333333)
        .mul_add(inverse_rho, -inverse_rho_central_x_20);
    let with_central_y_02 = central_y_02 * by_central_y_02;
    let cumulant_22_part_2 = cumulant_22_part_1 + with_central_y_02;
    let cumulant_22_part_3 = cumulant_22_part_2 + t_4;
    let cumulant_22_part_4 = V::constant(0.1111111111111111)
        .mul_add(delta_rho_inverse_rho, cumulant_22_part_3);
    let cumulant_22_part_5 = V::constant(-0.3333333333333333)
        .mul_add(inverse_rho_central_x_20, cumulant_22_part_4);
    let cumulant_22 = V::constant(-2.0)
        .mul_add(inverse_rho_central_y_11_central_y_11, cumulant_22_part_5);
    let inverse_rho_post_5 = inverse_rho * post_5;
    let inverse_rho_post_5_post_5 = inverse_rho_post_5 * post_5;
    let by_post_4 = V::constant(0.3333333333333333)
        .mul_add(inverse_rho, inverse_rho_post_2);
    let with_post_4 = post_4 * by_post_4;
    let by_from_cumulants_about_x = post_4 + V::constant(0.3333333333333333);
    let with_from_cumulants_about_x = from_cumulants_about_x * by_from_cumulants_about_x;
    let raw_x_12 = post_7 + with_from_cumulants_about_x;
    let by_from_cumulants_about_x_again_2 = post_7 + raw_x_12;
    let with_from_cumulants_about_x_again_2 = from_cumulants_about_x
        * by_from_cumulants_about_x_again_2;
    let raw_y_22_part_1 = with_from_cumulants_about_x_again_2 + with_post_4;
    let post_5_from_cumulants_about_x = post_5 * from_cumulants_about_x;
    let raw_x_21 = V::constant(2.0)
        .mul_add(post_5_from_cumulants_about_x, raw_x_21_part_1);
    let by_from_cumulants_about_y = V::constant(0.3333333333333333) + raw_x_20;
    let with_from_cumulants_about_y = from_cumulants_about_y * by_from_cumulants_about_y;
    let raw_y_21 = raw_x_21 + with_from_cumulants_about_y;
    let by_from_cumulants_about_y_again_2 = raw_x_21 + raw_y_21;
    let with_from_cumulants_about_y_again_2 = from_cumulants_about_y
        * by_from_cumulants_about_y_again_2;
    let raw_y_22_part_2 = raw_y_22_part_1 + with_from_cumulants_about_y_again_2;
    let raw_y_22_part_3 = V::constant(-0.1111111111111111)
        .mul_add(delta_rho_inverse_rho, raw_y_22_part_2);
    let raw_y_22_part_4 = k_6.mul_add(cumulant_22, raw_y_22_part_3);
    let raw_y_22_part_5 = V::constant(0.3333333333333333)
        .mul_add(inverse_rho_post_2, raw_y_22_part_4);
    let raw_y_22 = V::constant(2.0).mul_add(inverse_rho_post_5_post_5, raw_y_22_part_5);
    let t_7 = raw_x_20 - raw_y_22;
    let post_0 = post_0_part_1 - t_7;
    site.write(0, post_0);
    let even_0 = V::constant(0.5) * t_7;
    let t_16 = raw_y_02 - raw_y_22;
    let even_1 = V::constant(0.5) * t_16;
    let t_15 = raw_y_01 - raw_y_21;
    let odd_1 = V::constant(0.5) * t_15;
    let post_3 = even_1 + odd_1;
    site.write(3, post_3);
    let post_4_again_2 = even_1 - odd_1;
    site.write(4, post_4_again_2);
    let from_cumulants_about_y_raw_x_10 = from_cumulants_about_y * raw_x_10;
    let raw_y_11 = post_5 + from_cumulants_about_y_raw_x_10;
    let by_from_cumulants_about_y_again_3 = post_5 + raw_y_11;
    let with_from_cumulants_about_y_again_3 = from_cumulants_about_y
        * by_from_cumulants_about_y_again_3;
    let raw_y_12 = raw_x_12 + with_from_cumulants_about_y_again_3;
    let t_14 = raw_x_10 - raw_y_12;
    let odd_0 = V::constant(0.5) * t_14;
    let post_1 = even_0 + odd_0;
    site.write(1, post_1);
    let post_2_again_2 = even_0 - odd_0;
    site.write(2, post_2_again_2);
    let t_19 = raw_y_22 + raw_y_11;
    let t_20 = raw_y_22 - raw_y_11;
    let even_2 = V::constant(0.25) * t_19;
    let even_3 = V::constant(0.25) * t_20;
    let t_17 = raw_y_21 + raw_y_12;
    let t_18 = raw_y_21 - raw_y_12;
    let odd_2 = V::constant(0.25) * t_17;
    let post_5_again_2 = even_2 + odd_2;
    site.write(5, post_5_again_2);
    let post_6 = even_2 - odd_2;
    site.write(6, post_6);
    let odd_3 = V::constant(-0.25) * t_18;
    let post_7_again_2 = even_3 + odd_3;
    site.write(7, post_7_again_2);
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
