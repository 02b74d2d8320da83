// d3q19-regularized-guo
// Regularized on D3Q19, quasi-compressible equilibrium, force after Guo.
// Operations a node: adds 120, muls 66, divs 1, others 0; 37 adds and muls are fused in fmas.
// At most 17 values live at once.
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

fn uniforms(parameters: &[f64]) -> [f64; 9] {
    let force_x: f64 = parameters[1];
    let viscosity: f64 = parameters[0];
    let omega: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    let force_y: f64 = parameters[2];
    let force_z: f64 = parameters[3];
    [
        0.5 * force_x,
        force_x,
        1.5 * force_x,
        1.5 - 1.5 * omega,
        0.5 * force_y,
        force_y,
        1.0 - omega,
        0.5 * force_z,
        force_z,
    ]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 9]) {
    let [k_0, k_1, k_2, k_3, k_4, k_5, k_6, k_7, k_8] = *k;
    let t_5 = site.read(3) + site.read(15);
    let waiting_yz = site.read(15) - site.read(18);
    let t_6 = site.read(4) + site.read(18);
    let t_11 = t_5 + t_6;
    let t_3 = site.read(1) + site.read(9);
    let waiting_xz = site.read(9) - site.read(12);
    let t_4 = site.read(2) + site.read(12);
    let t_10 = t_3 + t_4;
    let waiting_z_part_1 = site.read(5) + site.read(9);
    let waiting_z_part_2 = waiting_z_part_1 + site.read(12);
    let waiting_z_part_3 = waiting_z_part_2 + site.read(15);
    let waiting_z = waiting_z_part_3 + site.read(18);
    let waiting_0_part_1 = site.read(0) + site.read(5);
    let waiting_0_part_2 = waiting_0_part_1 + t_11;
    let t_1 = site.read(7) + site.read(8);
    let t_8 = site.read(7) - site.read(8);
    let waiting_x_part_1 = t_3 + t_8;
    let waiting_y_part_1 = t_5 + t_8;
    let waiting_y_part_2 = waiting_y_part_1 - t_6;
    let t_2 = site.read(13) + site.read(14);
    let t_9 = site.read(13) - site.read(14);
    let waiting_y = waiting_y_part_2 - t_9;
    let waiting_x_part_2 = waiting_x_part_1 + t_9;
    let waiting_x = waiting_x_part_2 - t_4;
    let waiting_xy = t_1 - t_2;
    let t_7 = t_1 + t_2;
    let waiting_yy = t_7 + t_11;
    let t_12 = t_7 + t_10;
    let waiting_0 = waiting_0_part_2 + t_12;
    let j_x_part_1 = k_0 + waiting_x;
    let j_y_part_1 = k_4 + waiting_y;
    let j_z_part_1 = k_7 + waiting_z;
    let t_2_late = site.read(16) + site.read(17);
    let t_6_late = site.read(16) - site.read(17);
    let j_y = j_y_part_1 - t_6_late;
    let j_y_post = k_4 + j_y;
    let pi_neq_1_2_part_1 = waiting_yz + t_6_late;
    let pi_neq_1_1_part_1 = waiting_yy + t_2_late;
    let t_1_late = site.read(10) + site.read(11);
    let t_5_late = site.read(10) - site.read(11);
    let j_x = j_x_part_1 - t_5_late;
    let j_x_post = k_0 + j_x;
    let pi_neq_0_2_part_1 = waiting_xz + t_5_late;
    let t_3_late = site.read(6) + t_1_late;
    let t_4_late = t_2_late + t_3_late;
    let pi_neq_0_0_part_1 = t_12 + t_1_late;
    let j_z = j_z_part_1 - t_4_late;
    let pi_neq_2_2_part_1 = waiting_z + t_4_late;
    let delta_rho = waiting_0 + t_4_late;
    let j_z_post = k_7 + j_z;
    let rho = V::constant(1.0) + delta_rho;
    let inverse_rho = V::constant(1.0) / rho;
    let u_x = j_x * inverse_rho;
    let flux_xx = j_x * u_x;
    let pi_neq_0_0_part_2 = pi_neq_0_0_part_1 - flux_xx;
    let pi_neq_0_0_part_3 = V::constant(-0.3333333333333333)
        .mul_add(delta_rho, pi_neq_0_0_part_2);
    let pi_neq_0_0 = k_1.mul_add(u_x, pi_neq_0_0_part_3);
    let t_10_part_1 = k_2 * u_x;
    let t_10_late = k_3.mul_add(pi_neq_0_0, t_10_part_1);
    let t_15 = V::constant(0.6666666666666666).mul_add(t_10_late, flux_xx);
    let u_y = inverse_rho * j_y;
    let u_z = inverse_rho * j_z;
    let flux_zz = j_z * u_z;
    let pi_neq_2_2_part_2 = pi_neq_2_2_part_1 - flux_zz;
    let pi_neq_2_2_part_3 = V::constant(-0.3333333333333333)
        .mul_add(delta_rho, pi_neq_2_2_part_2);
    let pi_neq_2_2 = k_8.mul_add(u_z, pi_neq_2_2_part_3);
    let t_12_late = k_8.mul_add(u_z, flux_zz);
    let t_14 = k_6.mul_add(pi_neq_2_2, t_12_late);
    let flux_yy = j_y * u_y;
    let pi_neq_1_1_part_2 = pi_neq_1_1_part_1 - flux_yy;
    let pi_neq_1_1_part_3 = V::constant(-0.3333333333333333)
        .mul_add(delta_rho, pi_neq_1_1_part_2);
    let pi_neq_1_1 = k_5.mul_add(u_y, pi_neq_1_1_part_3);
    let t_11_late = k_5.mul_add(u_y, flux_yy);
    let t_13 = k_6.mul_add(pi_neq_1_1, t_11_late);
    let t_16 = t_13 + t_14;
    let t_17 = t_15 + t_16;
    let isotropic_post = V::constant(-1.5).mul_add(t_17, delta_rho);
    let flux_yz = j_y * u_z;
    let flux_xy = j_x * u_y;
    let flux_xz = j_x * u_z;
    let t_7_part_1 = k_4 * u_x;
    let t_7_late = k_0.mul_add(u_y, t_7_part_1);
    let t_8_part_1 = k_7 * u_x;
    let t_8_late = k_0.mul_add(u_z, t_8_part_1);
    let pi_neq_0_2_part_2 = pi_neq_0_2_part_1 + t_8_late;
    let pi_neq_0_2 = pi_neq_0_2_part_2 - flux_xz;
    let p_xz_post_part_1 = flux_xz + t_8_late;
    let p_xz_post = k_6.mul_add(pi_neq_0_2, p_xz_post_part_1);
    let t_9_part_1 = k_7 * u_y;
    let t_9_late = k_4.mul_add(u_z, t_9_part_1);
    let pi_neq_1_2_part_2 = pi_neq_1_2_part_1 + t_9_late;
    let pi_neq_1_2 = pi_neq_1_2_part_2 - flux_yz;
    let p_yz_post_part_1 = flux_yz + t_9_late;
    let p_yz_post = k_6.mul_add(pi_neq_1_2, p_yz_post_part_1);
    let pi_neq_0_1_part_1 = waiting_xy + t_7_late;
    let pi_neq_0_1 = pi_neq_0_1_part_1 - flux_xy;
    let p_xy_post_part_1 = flux_xy + t_7_late;
    let p_xy_post = k_6.mul_add(pi_neq_0_1, p_xy_post_part_1);
    let post_0 = V::constant(0.3333333333333333) * isotropic_post;
    site.write(0, post_0);
    let t_1_post = V::constant(4.5).mul_add(t_15, isotropic_post);
    let even_0 = V::constant(0.05555555555555555) * t_1_post;
    let post_1 = V::constant(0.16666666666666666).mul_add(j_x_post, even_0);
    site.write(1, post_1);
    let post_2 = V::constant(-0.16666666666666666).mul_add(j_x_post, even_0);
    site.write(2, post_2);
    let t_2_post = V::constant(4.5).mul_add(t_13, isotropic_post);
    let even_1 = V::constant(0.05555555555555555) * t_2_post;
    let post_3 = V::constant(0.16666666666666666).mul_add(j_y_post, even_1);
    site.write(3, post_3);
    let post_4 = V::constant(-0.16666666666666666).mul_add(j_y_post, even_1);
    site.write(4, post_4);
    let even_2_part_1 = V::constant(0.05555555555555555) * isotropic_post;
    let even_2 = V::constant(0.25).mul_add(t_14, even_2_part_1);
    let post_5 = V::constant(0.16666666666666666).mul_add(j_z_post, even_2);
    site.write(5, post_5);
    let post_6 = V::constant(-0.16666666666666666).mul_add(j_z_post, even_2);
    site.write(6, post_6);
    let t_3_post = V::constant(0.2222222222222222).mul_add(t_1_post, t_13);
    let even_3_part_1 = V::constant(0.25) * p_xy_post;
    let even_3 = V::constant(0.125).mul_add(t_3_post, even_3_part_1);
    let t_6_post = j_x_post + j_y_post;
    let odd_3 = V::constant(0.08333333333333333) * t_6_post;
    let post_7 = even_3 + odd_3;
    site.write(7, post_7);
    let post_8 = even_3 - odd_3;
    site.write(8, post_8);
    let t_4_post = V::constant(0.2222222222222222).mul_add(t_1_post, t_14);
    let even_4_part_1 = V::constant(0.25) * p_xz_post;
    let even_4 = V::constant(0.125).mul_add(t_4_post, even_4_part_1);
    let t_8_post = j_x_post + j_z_post;
    let odd_4 = V::constant(0.08333333333333333) * t_8_post;
    let post_9 = even_4 + odd_4;
    site.write(9, post_9);
    let post_10 = even_4 - odd_4;
    site.write(10, post_10);
    let even_5_part_1 = V::constant(-0.25) * p_xz_post;
    let even_5 = V::constant(0.125).mul_add(t_4_post, even_5_part_1);
    let t_9_post = j_x_post - j_z_post;
    let odd_5 = V::constant(0.08333333333333333) * t_9_post;
    let post_11 = even_5 + odd_5;
    site.write(11, post_11);
    let post_12 = even_5 - odd_5;
    site.write(12, post_12);
    let even_6_part_1 = V::constant(-0.25) * p_xy_post;
    let even_6 = V::constant(0.125).mul_add(t_3_post, even_6_part_1);
    let t_7_post = j_x_post - j_y_post;
    let odd_6 = V::constant(0.08333333333333333) * t_7_post;
    let post_13 = even_6 + odd_6;
    site.write(13, post_13);
    let post_14 = even_6 - odd_6;
    site.write(14, post_14);
    let t_5_post = V::constant(0.2222222222222222).mul_add(t_2_post, t_14);
    let even_7_part_1 = V::constant(0.25) * p_yz_post;
    let even_7 = V::constant(0.125).mul_add(t_5_post, even_7_part_1);
    let t_10_post = j_y_post + j_z_post;
    let odd_7 = V::constant(0.08333333333333333) * t_10_post;
    let post_15 = even_7 + odd_7;
    site.write(15, post_15);
    let post_16 = even_7 - odd_7;
    site.write(16, post_16);
    let even_8_part_1 = V::constant(-0.25) * p_yz_post;
    let even_8 = V::constant(0.125).mul_add(t_5_post, even_8_part_1);
    let t_11_post = j_y_post - j_z_post;
    let odd_8 = V::constant(0.08333333333333333) * t_11_post;
    let post_17 = even_8 + odd_8;
    site.write(17, post_17);
    let post_18 = even_8 - odd_8;
    site.write(18, post_18);
}

#[inline(always)]
fn macroscopic<V: ::lbm::core::Lanes<Scalar = f64>>(h: &[V], force: [V; 3]) -> [V; 4] {
    let input = force;
    let _ = input;
    let t_1 = h[1] + h[7];
    let t_2 = h[2] + h[8];
    let t_3 = h[3] + h[14];
    let j_y_part_1 = h[7] + t_3;
    let t_4 = h[4] + h[13];
    let j_x_part_1 = h[9] + h[13];
    let t_5 = h[5] + h[9];
    let j_x_part_2 = j_x_part_1 + t_1;
    let t_6 = h[6] + h[10];
    let delta_rho_part_1 = h[0] + h[11];
    let delta_rho_part_2 = delta_rho_part_1 + h[12];
    let t_7 = h[11] - h[12];
    let j_x_part_3 = j_x_part_2 + t_7;
    let j_x_part_4 = j_x_part_3 - h[10];
    let j_x_part_5 = j_x_part_4 - h[14];
    let j_x_part_6 = j_x_part_5 - t_2;
    let j_x = V::constant(0.5).mul_add(input[0], j_x_part_6);
    let delta_rho_part_3 = delta_rho_part_2 + h[15];
    let delta_rho_part_4 = delta_rho_part_3 + h[16];
    let t_8 = h[15] - h[16];
    let j_y_part_2 = j_y_part_1 + t_8;
    let j_z_part_1 = t_5 + t_8;
    let j_z_part_2 = j_z_part_1 - t_6;
    let j_z_part_3 = j_z_part_2 - t_7;
    let delta_rho_part_5 = delta_rho_part_4 + h[17];
    let delta_rho_part_6 = delta_rho_part_5 + h[18];
    let delta_rho_part_7 = delta_rho_part_6 + t_1;
    let delta_rho_part_8 = delta_rho_part_7 + t_2;
    let delta_rho_part_9 = delta_rho_part_8 + t_3;
    let t_9 = h[17] - h[18];
    let delta_rho_part_10 = delta_rho_part_9 + t_4;
    let delta_rho_part_11 = delta_rho_part_10 + t_5;
    let delta_rho = delta_rho_part_11 + t_6;
    let rho = V::constant(1.0) + delta_rho;
    let inverse_rho = V::constant(1.0) / rho;
    let j_x_inverse_rho = j_x * inverse_rho;
    let j_y_part_3 = j_y_part_2 + t_9;
    let j_y_part_4 = j_y_part_3 - h[8];
    let j_y_part_5 = j_y_part_4 - t_4;
    let j_z_part_4 = j_z_part_3 - t_9;
    let j_y = V::constant(0.5).mul_add(input[1], j_y_part_5);
    let j_y_inverse_rho = j_y * inverse_rho;
    let j_z = V::constant(0.5).mul_add(input[2], j_z_part_4);
    let j_z_inverse_rho = j_z * inverse_rho;
    [rho, j_x_inverse_rho, j_y_inverse_rho, j_z_inverse_rho]
}

fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]) {
    use ::lbm::core::Lanes as _;
    type V = f64;
    let input = [rho, u[0], u[1], u[2]];
    let _ = V::default();
    let j_x = input[0] * input[1];
    let flux_xx = input[1] * j_x;
    let t_1 = V::constant(1.0) - input[0];
    let t_3 = V::constant(0.6666666666666666).mul_add(t_1, flux_xx);
    let j_y = input[0] * input[2];
    let flux_yy = input[2] * j_y;
    let j_z = input[0] * input[3];
    let flux_zz = input[3] * j_z;
    let t_4 = flux_yy + flux_zz;
    let t_18 = t_3 + t_4;
    let h_0_eq = V::constant(-0.5) * t_18;
    let t_2 = V::constant(-0.3333333333333333).mul_add(t_1, flux_xx);
    let t_8 = j_x + t_2;
    let h_1_eq_part_1 = V::constant(-0.08333333333333333) * t_4;
    let h_1_eq = V::constant(0.16666666666666666).mul_add(t_8, h_1_eq_part_1);
    let t_7 = j_x - t_2;
    let h_2_eq_part_1 = V::constant(-0.08333333333333333) * t_4;
    let h_2_eq = V::constant(-0.16666666666666666).mul_add(t_7, h_2_eq_part_1);
    let t_5 = V::constant(-0.5).mul_add(flux_zz, flux_yy);
    let t_11 = j_y + t_5;
    let h_3_eq_part_1 = V::constant(-0.08333333333333333) * t_3;
    let h_3_eq = V::constant(0.16666666666666666).mul_add(t_11, h_3_eq_part_1);
    let t_10 = j_y - t_5;
    let h_4_eq_part_1 = V::constant(-0.08333333333333333) * t_3;
    let h_4_eq = V::constant(-0.16666666666666666).mul_add(t_10, h_4_eq_part_1);
    let t_6 = V::constant(-2.0).mul_add(flux_zz, flux_yy);
    let t_12 = V::constant(-0.5).mul_add(t_6, j_z);
    let h_5_eq_part_1 = V::constant(-0.08333333333333333) * t_3;
    let h_5_eq = V::constant(0.16666666666666666).mul_add(t_12, h_5_eq_part_1);
    let t_13 = V::constant(0.5).mul_add(t_6, j_z);
    let h_6_eq_part_1 = V::constant(-0.08333333333333333) * t_3;
    let h_6_eq = V::constant(-0.16666666666666666).mul_add(t_13, h_6_eq_part_1);
    let flux_xy = input[2] * j_x;
    let t_24 = t_8 + t_11;
    let h_7_eq_part_1 = V::constant(0.25) * flux_xy;
    let h_7_eq = V::constant(0.08333333333333333).mul_add(t_24, h_7_eq_part_1);
    let t_19 = t_7 + t_10;
    let h_8_eq_part_1 = V::constant(0.25) * flux_xy;
    let h_8_eq = V::constant(-0.08333333333333333).mul_add(t_19, h_8_eq_part_1);
    let flux_xz = input[3] * j_x;
    let t_25 = t_8 + t_12;
    let h_9_eq_part_1 = V::constant(0.25) * flux_xz;
    let h_9_eq = V::constant(0.08333333333333333).mul_add(t_25, h_9_eq_part_1);
    let t_22 = t_7 + t_13;
    let h_10_eq_part_1 = V::constant(0.25) * flux_xz;
    let h_10_eq = V::constant(-0.08333333333333333).mul_add(t_22, h_10_eq_part_1);
    let t_26 = t_8 - t_13;
    let h_11_eq_part_1 = V::constant(-0.25) * flux_xz;
    let h_11_eq = V::constant(0.08333333333333333).mul_add(t_26, h_11_eq_part_1);
    let t_21 = t_7 - t_12;
    let h_12_eq_part_1 = V::constant(-0.25) * flux_xz;
    let h_12_eq = V::constant(-0.08333333333333333).mul_add(t_21, h_12_eq_part_1);
    let t_23 = t_8 - t_10;
    let h_13_eq_part_1 = V::constant(-0.25) * flux_xy;
    let h_13_eq = V::constant(0.08333333333333333).mul_add(t_23, h_13_eq_part_1);
    let t_20 = t_7 - t_11;
    let h_14_eq_part_1 = V::constant(-0.25) * flux_xy;
    let h_14_eq = V::constant(-0.08333333333333333).mul_add(t_20, h_14_eq_part_1);
    let t_15 = j_y + j_z;
    let flux_yz = input[3] * j_y;
    let t_9 = V::constant(-2.0).mul_add(t_4, t_3);
    let t_16 = V::constant(-0.16666666666666666).mul_add(t_9, flux_yz);
    let h_15_eq_part_1 = V::constant(0.08333333333333333) * t_15;
    let h_15_eq = V::constant(0.25).mul_add(t_16, h_15_eq_part_1);
    let h_16_eq_part_1 = V::constant(-0.08333333333333333) * t_15;
    let h_16_eq = V::constant(0.25).mul_add(t_16, h_16_eq_part_1);
    let t_14 = j_y - j_z;
    let t_17 = V::constant(0.16666666666666666).mul_add(t_9, flux_yz);
    let h_17_eq_part_1 = V::constant(0.08333333333333333) * t_14;
    let h_17_eq = V::constant(-0.25).mul_add(t_17, h_17_eq_part_1);
    let h_18_eq_part_1 = V::constant(-0.08333333333333333) * t_14;
    let h_18_eq = V::constant(-0.25).mul_add(t_17, h_18_eq_part_1);
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
