// d3q15-regularized
// Regularized on D3Q15, quasi-compressible equilibrium, no force.
// Operations a node: adds 92, muls 41, divs 1, others 0; 21 adds and muls are fused in fmas.
// At most 17 values live at once.
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

fn uniforms(parameters: &[f64]) -> [f64; 2] {
    let viscosity: f64 = parameters[0];
    let omega: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    [1.0 - omega, 1.5 - 1.5 * omega]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 2]) {
    let [k_0, k_1] = *k;
    let t_6 = site.read(1) + site.read(2);
    let waiting_0_part_1 = site.read(0) + t_6;
    let t_7 = site.read(3) + site.read(4);
    let waiting_0_part_2 = waiting_0_part_1 + t_7;
    let t_1 = site.read(7) + site.read(11);
    let t_4 = site.read(7) - site.read(11);
    let t_2 = site.read(10) + site.read(14);
    let t_5 = site.read(10) - site.read(14);
    let waiting_xy = t_4 + t_5;
    let t_10 = t_4 - t_5;
    let waiting_y_part_1 = site.read(3) + t_10;
    let waiting_y = waiting_y_part_1 - site.read(4);
    let t_3 = t_1 + t_2;
    let t_9 = t_1 - t_2;
    let waiting_x_part_1 = site.read(1) + t_9;
    let waiting_x = waiting_x_part_1 - site.read(2);
    let waiting_xx = t_3 + t_6;
    let waiting_yy = t_3 + t_7;
    let t_8 = site.read(5) + t_3;
    let waiting_0 = waiting_0_part_2 + t_8;
    let t_1_late = site.read(8) + site.read(12);
    let t_5_late = site.read(8) - site.read(12);
    let pi_neq_0_1_part_1 = waiting_xy + t_5_late;
    let t_2_late = site.read(9) + site.read(13);
    let t_6_late = site.read(9) - site.read(13);
    let t_9_late = t_5_late - t_6_late;
    let pi_neq_0_1_part_2 = pi_neq_0_1_part_1 + t_6_late;
    let t_3_late = t_1_late + t_2_late;
    let t_8_late = t_1_late - t_2_late;
    let j_x = waiting_x - t_8_late;
    let pi_neq_0_2_part_1 = t_9 + t_8_late;
    let j_y = waiting_y - t_9_late;
    let pi_neq_1_2_part_1 = t_10 + t_9_late;
    let t_7_late = site.read(6) + t_3_late;
    let delta_rho = waiting_0 + t_7_late;
    let t_4_late = V::constant(-0.3333333333333333).mul_add(delta_rho, t_3_late);
    let rho = V::constant(1.0) + delta_rho;
    let inverse_rho = V::constant(1.0) / rho;
    let u_x = j_x * inverse_rho;
    let flux_xx = j_x * u_x;
    let pi_neq_0_0_part_1 = waiting_xx + t_4_late;
    let pi_neq_0_0 = pi_neq_0_0_part_1 - flux_xx;
    let p_xx_post = k_0.mul_add(pi_neq_0_0, flux_xx);
    let u_y = inverse_rho * j_y;
    let flux_yy = j_y * u_y;
    let t_10_late = flux_xx + flux_yy;
    let flux_xy = j_x * u_y;
    let pi_neq_0_1 = pi_neq_0_1_part_2 - flux_xy;
    let p_xy_post = k_0.mul_add(pi_neq_0_1, flux_xy);
    let pi_neq_1_1_part_1 = waiting_yy + t_4_late;
    let pi_neq_1_1 = pi_neq_1_1_part_1 - flux_yy;
    let p_yy_post = k_0.mul_add(pi_neq_1_1, flux_yy);
    let t_12 = pi_neq_0_0 + pi_neq_1_1;
    let isotropic_post_part_1 = (-k_1).mul_add(t_12, delta_rho);
    let j_z = t_8 - t_7_late;
    let pi_neq_2_2_part_1 = site.read(6) + t_8;
    let pi_neq_2_2_part_2 = pi_neq_2_2_part_1 + t_4_late;
    let u_z = inverse_rho * j_z;
    let flux_zz = j_z * u_z;
    let pi_neq_2_2 = pi_neq_2_2_part_2 - flux_zz;
    let t_11 = k_0.mul_add(pi_neq_2_2, flux_zz);
    let t_13 = t_10_late + t_11;
    let isotropic_post = V::constant(-1.5).mul_add(t_13, isotropic_post_part_1);
    let flux_xz = j_x * u_z;
    let flux_yz = j_y * u_z;
    let pi_neq_0_2 = pi_neq_0_2_part_1 - flux_xz;
    let p_xz_post = k_0.mul_add(pi_neq_0_2, flux_xz);
    let pi_neq_1_2 = pi_neq_1_2_part_1 - flux_yz;
    let p_yz_post = k_0.mul_add(pi_neq_1_2, flux_yz);
    let post_0 = V::constant(0.2222222222222222) * isotropic_post;
    site.write(0, post_0);
    let t_1_post = V::constant(4.5).mul_add(p_xx_post, isotropic_post);
    let even_0 = V::constant(0.1111111111111111) * t_1_post;
    let post_1 = V::constant(0.3333333333333333).mul_add(j_x, even_0);
    site.write(1, post_1);
    let post_2 = V::constant(-0.3333333333333333).mul_add(j_x, even_0);
    site.write(2, post_2);
    let even_1_part_1 = V::constant(0.1111111111111111) * isotropic_post;
    let even_1 = V::constant(0.5).mul_add(p_yy_post, even_1_part_1);
    let post_3 = V::constant(0.3333333333333333).mul_add(j_y, even_1);
    site.write(3, post_3);
    let post_4 = V::constant(-0.3333333333333333).mul_add(j_y, even_1);
    site.write(4, post_4);
    let even_2 = V::constant(0.5).mul_add(t_11, even_1_part_1);
    let t_2_post = p_yy_post + t_11;
    let t_3_post = V::constant(4.5).mul_add(t_2_post, t_1_post);
    let post_5 = V::constant(0.3333333333333333).mul_add(j_z, even_2);
    site.write(5, post_5);
    let post_6 = V::constant(-0.3333333333333333).mul_add(j_z, even_2);
    site.write(6, post_6);
    let t_4_post = j_x + j_y;
    let t_5_post = j_x - j_y;
    let t_10_post = j_z + t_4_post;
    let odd_3 = V::constant(0.041666666666666664) * t_10_post;
    let t_11_post = j_z - t_4_post;
    let odd_4 = V::constant(-0.041666666666666664) * t_11_post;
    let t_12_post = j_z + t_5_post;
    let t_13_post = j_z - t_5_post;
    let odd_5 = V::constant(0.041666666666666664) * t_12_post;
    let odd_6 = V::constant(-0.041666666666666664) * t_13_post;
    let t_8_post = V::constant(0.1111111111111111).mul_add(t_3_post, p_yz_post);
    let t_9_post = V::constant(-0.1111111111111111).mul_add(t_3_post, p_yz_post);
    let t_6_post = p_xy_post + p_xz_post;
    let t_7_post = p_xy_post - p_xz_post;
    let t_14 = t_6_post + t_8_post;
    let t_15 = t_6_post - t_8_post;
    let even_3 = V::constant(0.125) * t_14;
    let post_7 = even_3 + odd_3;
    site.write(7, post_7);
    let post_8 = even_3 - odd_3;
    site.write(8, post_8);
    let even_6 = V::constant(-0.125) * t_15;
    let post_13 = even_6 + odd_6;
    site.write(13, post_13);
    let post_14 = even_6 - odd_6;
    site.write(14, post_14);
    let t_17 = t_7_post - t_9_post;
    let t_16 = t_7_post + t_9_post;
    let even_4 = V::constant(0.125) * t_17;
    let post_9 = even_4 + odd_4;
    site.write(9, post_9);
    let post_10 = even_4 - odd_4;
    site.write(10, post_10);
    let even_5 = V::constant(-0.125) * t_16;
    let post_11 = even_5 + odd_5;
    site.write(11, post_11);
    let post_12 = even_5 - odd_5;
    site.write(12, post_12);
}

#[inline(always)]
fn macroscopic<V: ::lbm::core::Lanes<Scalar = f64>>(h: &[V], force: [V; 3]) -> [V; 4] {
    let input = force;
    let _ = input;
    let delta_rho_part_1 = h[0] + h[1];
    let delta_rho_part_2 = delta_rho_part_1 + h[2];
    let delta_rho_part_3 = delta_rho_part_2 + h[3];
    let delta_rho_part_4 = delta_rho_part_3 + h[4];
    let delta_rho_part_5 = delta_rho_part_4 + h[5];
    let delta_rho_part_6 = delta_rho_part_5 + h[6];
    let delta_rho_part_7 = delta_rho_part_6 + h[7];
    let delta_rho_part_8 = delta_rho_part_7 + h[8];
    let t_1 = h[7] - h[8];
    let j_z_part_1 = h[5] + t_1;
    let delta_rho_part_9 = delta_rho_part_8 + h[9];
    let delta_rho_part_10 = delta_rho_part_9 + h[10];
    let t_2 = h[9] - h[10];
    let t_5 = t_1 + t_2;
    let j_x_part_1 = h[1] + t_5;
    let j_y_part_1 = h[3] + t_5;
    let j_y_part_2 = j_y_part_1 - h[4];
    let delta_rho_part_11 = delta_rho_part_10 + h[11];
    let delta_rho_part_12 = delta_rho_part_11 + h[12];
    let t_3 = h[11] - h[12];
    let j_z_part_2 = j_z_part_1 + t_3;
    let j_z_part_3 = j_z_part_2 - h[6];
    let j_z_part_4 = j_z_part_3 - t_2;
    let delta_rho_part_13 = delta_rho_part_12 + h[13];
    let delta_rho = delta_rho_part_13 + h[14];
    let t_4 = h[13] - h[14];
    let rho = V::constant(1.0) + delta_rho;
    let t_6 = t_3 + t_4;
    let j_z = j_z_part_4 - t_4;
    let j_x_part_2 = j_x_part_1 + t_6;
    let j_x = j_x_part_2 - h[2];
    let j_y = j_y_part_2 - t_6;
    let inverse_rho = V::constant(1.0) / rho;
    let j_x_inverse_rho = j_x * inverse_rho;
    let j_y_inverse_rho = j_y * inverse_rho;
    let j_z_inverse_rho = j_z * inverse_rho;
    [rho, j_x_inverse_rho, j_y_inverse_rho, j_z_inverse_rho]
}

fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]) {
    use ::lbm::core::Lanes as _;
    type V = f64;
    let input = [rho, u[0], u[1], u[2]];
    let _ = V::default();
    let t_1 = V::constant(1.0) - input[0];
    let j_x = input[0] * input[1];
    let flux_xx = input[1] * j_x;
    let j_y = input[0] * input[2];
    let flux_yy = input[2] * j_y;
    let flux_xy = input[2] * j_x;
    let t_2 = flux_xx + flux_yy;
    let j_z = input[0] * input[3];
    let flux_zz = input[3] * j_z;
    let t_5 = V::constant(0.6666666666666666).mul_add(t_1, flux_zz);
    let t_3 = V::constant(-0.3333333333333333).mul_add(t_1, flux_zz);
    let t_25 = t_2 + t_5;
    let h_0_eq = V::constant(-0.3333333333333333) * t_25;
    let t_13 = flux_yy + t_5;
    let t_18 = V::constant(-0.5).mul_add(t_13, flux_xx);
    let t_12 = flux_xx + t_5;
    let t_19 = V::constant(-0.5).mul_add(t_12, flux_yy);
    let t_22 = j_x + t_18;
    let h_1_eq = V::constant(0.3333333333333333) * t_22;
    let t_21 = j_x - t_18;
    let h_2_eq = V::constant(-0.3333333333333333) * t_21;
    let t_24 = j_y + t_19;
    let h_3_eq = V::constant(0.3333333333333333) * t_24;
    let t_23 = j_y - t_19;
    let h_4_eq = V::constant(-0.3333333333333333) * t_23;
    let t_20 = V::constant(-2.0).mul_add(t_3, t_2);
    let t_4 = t_2 + t_3;
    let h_5_eq_part_1 = V::constant(0.3333333333333333) * j_z;
    let h_5_eq = V::constant(-0.16666666666666666).mul_add(t_20, h_5_eq_part_1);
    let h_6_eq_part_1 = V::constant(-0.3333333333333333) * j_z;
    let h_6_eq = V::constant(-0.16666666666666666).mul_add(t_20, h_6_eq_part_1);
    let flux_yz = input[3] * j_y;
    let flux_xz = input[3] * j_x;
    let t_11 = flux_xy + flux_xz;
    let t_10 = flux_xy - flux_xz;
    let t_17 = flux_yz + t_11;
    let t_16 = flux_yz - t_11;
    let t_7 = j_x + j_y;
    let t_6 = j_x - j_y;
    let t_9 = j_z + t_4;
    let t_8 = j_z - t_4;
    let t_33 = t_7 + t_9;
    let h_7_eq_part_1 = V::constant(0.125) * t_17;
    let h_7_eq = V::constant(0.041666666666666664).mul_add(t_33, h_7_eq_part_1);
    let h_8_eq_part_1 = V::constant(0.125) * t_17;
    let t_31 = t_7 + t_8;
    let h_8_eq = V::constant(-0.041666666666666664).mul_add(t_31, h_8_eq_part_1);
    let t_14 = flux_yz - t_10;
    let t_15 = flux_yz + t_10;
    let t_30 = t_7 - t_8;
    let t_32 = t_7 - t_9;
    let h_9_eq_part_1 = V::constant(-0.125) * t_14;
    let h_9_eq = V::constant(0.041666666666666664).mul_add(t_30, h_9_eq_part_1);
    let h_10_eq_part_1 = V::constant(-0.125) * t_14;
    let h_10_eq = V::constant(-0.041666666666666664).mul_add(t_32, h_10_eq_part_1);
    let t_29 = t_6 + t_9;
    let t_28 = t_6 - t_9;
    let h_11_eq_part_1 = V::constant(-0.125) * t_15;
    let h_11_eq = V::constant(0.041666666666666664).mul_add(t_29, h_11_eq_part_1);
    let h_12_eq_part_1 = V::constant(-0.125) * t_15;
    let t_27 = t_6 + t_8;
    let h_12_eq = V::constant(-0.041666666666666664).mul_add(t_27, h_12_eq_part_1);
    let t_26 = t_6 - t_8;
    let h_13_eq_part_1 = V::constant(0.125) * t_16;
    let h_13_eq = V::constant(0.041666666666666664).mul_add(t_26, h_13_eq_part_1);
    let h_14_eq_part_1 = V::constant(0.125) * t_16;
    let h_14_eq = V::constant(-0.041666666666666664).mul_add(t_28, h_14_eq_part_1);
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
