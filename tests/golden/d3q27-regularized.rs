// d3q27-regularized
// Regularized on D3Q27, quasi-compressible equilibrium, no force.
// Operations a node: adds 147, muls 64, divs 1, others 0; 32 adds and muls are fused in fmas.
// At most 16 values live at once.
// h[i] = f_i - w_i is the shifted population that moves with c_i; `site.read(i)` gives it:
//   h[0]: c = [ 0,  0,  0], w = 8/27
//   h[1]: c = [ 1,  0,  0], w = 2/27
//   h[2]: c = [-1,  0,  0], w = 2/27
//   h[3]: c = [ 0,  1,  0], w = 2/27
//   h[4]: c = [ 0, -1,  0], w = 2/27
//   h[5]: c = [ 0,  0,  1], w = 2/27
//   h[6]: c = [ 0,  0, -1], w = 2/27
//   h[7]: c = [ 1,  1,  0], w = 1/54
//   h[8]: c = [-1, -1,  0], w = 1/54
//   h[9]: c = [ 1,  0,  1], w = 1/54
//   h[10]: c = [-1,  0, -1], w = 1/54
//   h[11]: c = [ 1,  0, -1], w = 1/54
//   h[12]: c = [-1,  0,  1], w = 1/54
//   h[13]: c = [ 1, -1,  0], w = 1/54
//   h[14]: c = [-1,  1,  0], w = 1/54
//   h[15]: c = [ 0,  1,  1], w = 1/54
//   h[16]: c = [ 0, -1, -1], w = 1/54
//   h[17]: c = [ 0,  1, -1], w = 1/54
//   h[18]: c = [ 0, -1,  1], w = 1/54
//   h[19]: c = [ 1,  1,  1], w = 1/216
//   h[20]: c = [-1, -1, -1], w = 1/216
//   h[21]: c = [ 1,  1, -1], w = 1/216
//   h[22]: c = [-1, -1,  1], w = 1/216
//   h[23]: c = [ 1, -1,  1], w = 1/216
//   h[24]: c = [-1,  1, -1], w = 1/216
//   h[25]: c = [ 1, -1, -1], w = 1/216
//   h[26]: c = [-1,  1,  1], w = 1/216
// k[..] are the same for all nodes; `uniforms` computes them once a run.

fn uniforms(parameters: &[f64]) -> [f64; 2] {
    let viscosity: f64 = parameters[0];
    let omega: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    [1.0 - omega, 1.5 - 1.5 * omega]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 2]) {
    let [k_0, k_1] = *k;
    let t_9 = site.read(3) + site.read(15);
    let t_14 = site.read(15) + site.read(26);
    let t_4 = site.read(14) + site.read(26);
    let t_10 = site.read(4) + site.read(18);
    let t_19 = t_9 + t_10;
    let t_15 = site.read(18) + site.read(23);
    let t_3 = site.read(13) + site.read(23);
    let t_6 = t_3 + t_4;
    let t_17 = t_3 - t_4;
    let t_1 = site.read(7) + site.read(19);
    let waiting_yz_part_1 = site.read(19) + t_14;
    let t_12 = site.read(9) + site.read(19);
    let t_7 = site.read(1) + site.read(9);
    let waiting_xz_part_1 = site.read(23) + t_12;
    let waiting_xz_part_2 = waiting_xz_part_1 - site.read(26);
    let waiting_z_part_1 = site.read(5) + t_12;
    let waiting_0_part_1 = site.read(0) + site.read(5);
    let waiting_0_part_2 = waiting_0_part_1 + t_19;
    let waiting_yz_part_2 = waiting_yz_part_1 - site.read(22);
    let waiting_yz = waiting_yz_part_2 - t_15;
    let t_2 = site.read(8) + site.read(22);
    let t_5 = t_1 + t_2;
    let t_16 = t_1 - t_2;
    let waiting_y_part_1 = t_9 + t_16;
    let waiting_y_part_2 = waiting_y_part_1 - t_10;
    let waiting_y = waiting_y_part_2 - t_17;
    let waiting_x_part_1 = t_7 + t_16;
    let waiting_x_part_2 = waiting_x_part_1 + t_17;
    let waiting_xy = t_5 - t_6;
    let t_11 = t_5 + t_6;
    let waiting_yy = t_11 + t_19;
    let t_13 = site.read(12) + site.read(22);
    let waiting_xz = waiting_xz_part_2 - t_13;
    let waiting_z_part_2 = waiting_z_part_1 + t_13;
    let waiting_z_part_3 = waiting_z_part_2 + t_14;
    let waiting_z = waiting_z_part_3 + t_15;
    let t_8 = site.read(2) + site.read(12);
    let waiting_x = waiting_x_part_2 - t_8;
    let t_18 = t_7 + t_8;
    let t_20 = t_11 + t_18;
    let waiting_0 = waiting_0_part_2 + t_20;
    let t_1_late = site.read(20) + site.read(24);
    let t_8_late = site.read(20) - site.read(24);
    let t_3_late = site.read(10) + t_1_late;
    let pi_neq_1_1_part_1 = waiting_yy + t_1_late;
    let pi_neq_0_1_part_1 = waiting_xy + t_8_late;
    let t_2_late = site.read(21) + site.read(25);
    let t_9_late = site.read(21) - site.read(25);
    let t_13_late = t_8_late - t_9_late;
    let pi_neq_0_1_part_2 = pi_neq_0_1_part_1 + t_9_late;
    let pi_neq_1_1_part_2 = pi_neq_1_1_part_1 + t_2_late;
    let t_4_late = site.read(11) + t_2_late;
    let t_6_late = t_3_late + t_4_late;
    let t_12_late = t_3_late - t_4_late;
    let j_x = waiting_x - t_12_late;
    let pi_neq_0_2_part_1 = waiting_xz + t_12_late;
    let pi_neq_0_0_part_1 = t_20 + t_6_late;
    let t_5_late = site.read(16) + site.read(17);
    let t_11_late = site.read(16) - site.read(17);
    let t_14_late = t_11_late + t_13_late;
    let pi_neq_1_1_part_3 = pi_neq_1_1_part_2 + t_5_late;
    let t_7_late = site.read(6) + t_5_late;
    let t_10_late = t_6_late + t_7_late;
    let delta_rho = waiting_0 + t_10_late;
    let rho = V::constant(1.0) + delta_rho;
    let inverse_rho = V::constant(1.0) / rho;
    let u_x = j_x * inverse_rho;
    let flux_xx = j_x * u_x;
    let pi_neq_0_0_part_2 = pi_neq_0_0_part_1 - flux_xx;
    let pi_neq_0_0 = V::constant(-0.3333333333333333)
        .mul_add(delta_rho, pi_neq_0_0_part_2);
    let p_xx_post = k_0.mul_add(pi_neq_0_0, flux_xx);
    let j_y = waiting_y - t_14_late;
    let pi_neq_1_2_part_1 = waiting_yz + t_14_late;
    let u_y = inverse_rho * j_y;
    let flux_yy = j_y * u_y;
    let pi_neq_1_1_part_4 = pi_neq_1_1_part_3 - flux_yy;
    let pi_neq_1_1 = V::constant(-0.3333333333333333)
        .mul_add(delta_rho, pi_neq_1_1_part_4);
    let t_17_late = pi_neq_0_0 + pi_neq_1_1;
    let p_yy_post = k_0.mul_add(pi_neq_1_1, flux_yy);
    let t_15_late = flux_xx + flux_yy;
    let isotropic_post_part_1 = (-k_1).mul_add(t_17_late, delta_rho);
    let flux_xy = j_x * u_y;
    let pi_neq_0_1 = pi_neq_0_1_part_2 - flux_xy;
    let p_xy_post = k_0.mul_add(pi_neq_0_1, flux_xy);
    let j_z = waiting_z - t_10_late;
    let pi_neq_2_2_part_1 = waiting_z + t_10_late;
    let u_z = inverse_rho * j_z;
    let flux_zz = j_z * u_z;
    let pi_neq_2_2_part_2 = pi_neq_2_2_part_1 - flux_zz;
    let pi_neq_2_2 = V::constant(-0.3333333333333333)
        .mul_add(delta_rho, pi_neq_2_2_part_2);
    let t_16_late = k_0.mul_add(pi_neq_2_2, flux_zz);
    let t_18_late = t_15_late + t_16_late;
    let isotropic_post = V::constant(-1.5).mul_add(t_18_late, isotropic_post_part_1);
    let flux_xz = j_x * u_z;
    let flux_yz = j_y * u_z;
    let pi_neq_0_2 = pi_neq_0_2_part_1 - flux_xz;
    let p_xz_post = k_0.mul_add(pi_neq_0_2, flux_xz);
    let pi_neq_1_2 = pi_neq_1_2_part_1 - flux_yz;
    let p_yz_post = k_0.mul_add(pi_neq_1_2, flux_yz);
    let post_0 = V::constant(0.2962962962962963) * isotropic_post;
    site.write(0, post_0);
    let t_1_post = V::constant(4.5).mul_add(p_xx_post, isotropic_post);
    let even_0 = V::constant(0.07407407407407407) * t_1_post;
    let post_1 = V::constant(0.2222222222222222).mul_add(j_x, even_0);
    site.write(1, post_1);
    let post_2 = V::constant(-0.2222222222222222).mul_add(j_x, even_0);
    site.write(2, post_2);
    let even_1_part_1 = V::constant(0.07407407407407407) * isotropic_post;
    let even_1 = V::constant(0.3333333333333333).mul_add(p_yy_post, even_1_part_1);
    let post_3 = V::constant(0.2222222222222222).mul_add(j_y, even_1);
    site.write(3, post_3);
    let post_4 = V::constant(-0.2222222222222222).mul_add(j_y, even_1);
    site.write(4, post_4);
    let even_2 = V::constant(0.3333333333333333).mul_add(t_16_late, even_1_part_1);
    let post_5 = V::constant(0.2222222222222222).mul_add(j_z, even_2);
    site.write(5, post_5);
    let post_6 = V::constant(-0.2222222222222222).mul_add(j_z, even_2);
    site.write(6, post_6);
    let t_9_post = V::constant(0.2222222222222222).mul_add(t_1_post, p_yy_post);
    let even_3_part_1 = V::constant(0.16666666666666666) * p_xy_post;
    let even_3 = V::constant(0.08333333333333333).mul_add(t_9_post, even_3_part_1);
    let t_4_post = j_x + j_y;
    let odd_3 = V::constant(0.05555555555555555) * t_4_post;
    let post_7 = even_3 + odd_3;
    site.write(7, post_7);
    let post_8 = even_3 - odd_3;
    site.write(8, post_8);
    let t_10_post = V::constant(0.2222222222222222).mul_add(t_1_post, t_16_late);
    let even_4_part_1 = V::constant(0.16666666666666666) * p_xz_post;
    let even_4 = V::constant(0.08333333333333333).mul_add(t_10_post, even_4_part_1);
    let t_13_post = j_x + j_z;
    let odd_4 = V::constant(0.05555555555555555) * t_13_post;
    let post_9 = even_4 + odd_4;
    site.write(9, post_9);
    let post_10 = even_4 - odd_4;
    site.write(10, post_10);
    let even_5_part_1 = V::constant(-0.16666666666666666) * p_xz_post;
    let even_5 = V::constant(0.08333333333333333).mul_add(t_10_post, even_5_part_1);
    let t_14_post = j_x - j_z;
    let odd_5 = V::constant(0.05555555555555555) * t_14_post;
    let post_11 = even_5 + odd_5;
    site.write(11, post_11);
    let post_12 = even_5 - odd_5;
    site.write(12, post_12);
    let even_6_part_1 = V::constant(-0.16666666666666666) * p_xy_post;
    let even_6 = V::constant(0.08333333333333333).mul_add(t_9_post, even_6_part_1);
    let t_5_post = j_x - j_y;
    let odd_6 = V::constant(0.05555555555555555) * t_5_post;
    let post_13 = even_6 + odd_6;
    site.write(13, post_13);
    let post_14 = even_6 - odd_6;
    site.write(14, post_14);
    let t_2_post = p_yy_post + t_16_late;
    let t_8_post = V::constant(4.5).mul_add(t_2_post, isotropic_post);
    let even_7_part_1 = V::constant(0.16666666666666666) * p_yz_post;
    let even_7 = V::constant(0.018518518518518517).mul_add(t_8_post, even_7_part_1);
    let t_15_post = j_y + j_z;
    let odd_7 = V::constant(0.05555555555555555) * t_15_post;
    let post_15 = even_7 + odd_7;
    site.write(15, post_15);
    let post_16 = even_7 - odd_7;
    site.write(16, post_16);
    let even_8_part_1 = V::constant(-0.16666666666666666) * p_yz_post;
    let even_8 = V::constant(0.018518518518518517).mul_add(t_8_post, even_8_part_1);
    let t_16_post = j_y - j_z;
    let odd_8 = V::constant(0.05555555555555555) * t_16_post;
    let post_17 = even_8 + odd_8;
    site.write(17, post_17);
    let post_18 = even_8 - odd_8;
    site.write(18, post_18);
    let t_6_post = p_xy_post + p_xz_post;
    let t_3_post = V::constant(4.5).mul_add(t_2_post, t_1_post);
    let t_11_post = V::constant(0.1111111111111111).mul_add(t_3_post, p_yz_post);
    let t_21 = t_6_post + t_11_post;
    let even_9 = V::constant(0.041666666666666664) * t_21;
    let t_17_post = j_z + t_4_post;
    let odd_9 = V::constant(0.013888888888888888) * t_17_post;
    let post_19 = even_9 + odd_9;
    site.write(19, post_19);
    let post_20 = even_9 - odd_9;
    site.write(20, post_20);
    let t_7_post = p_xy_post - p_xz_post;
    let t_12_post = V::constant(-0.1111111111111111).mul_add(t_3_post, p_yz_post);
    let t_24 = t_7_post - t_12_post;
    let even_10 = V::constant(0.041666666666666664) * t_24;
    let t_18_post = j_z - t_4_post;
    let odd_10 = V::constant(-0.013888888888888888) * t_18_post;
    let post_21 = even_10 + odd_10;
    site.write(21, post_21);
    let post_22 = even_10 - odd_10;
    site.write(22, post_22);
    let t_23 = t_7_post + t_12_post;
    let even_11 = V::constant(-0.041666666666666664) * t_23;
    let t_19_post = j_z + t_5_post;
    let odd_11 = V::constant(0.013888888888888888) * t_19_post;
    let post_23 = even_11 + odd_11;
    site.write(23, post_23);
    let post_24 = even_11 - odd_11;
    site.write(24, post_24);
    let t_22 = t_6_post - t_11_post;
    let even_12 = V::constant(-0.041666666666666664) * t_22;
    let t_20_post = j_z - t_5_post;
    let odd_12 = V::constant(-0.013888888888888888) * t_20_post;
    let post_25 = even_12 + odd_12;
    site.write(25, post_25);
    let post_26 = even_12 - odd_12;
    site.write(26, post_26);
}

#[inline(always)]
fn macroscopic<V: ::lbm::core::Lanes<Scalar = f64>>(h: &[V], force: [V; 3]) -> [V; 4] {
    let input = force;
    let _ = input;
    let t_3 = h[9] + h[23];
    let delta_rho_part_1 = h[0] + t_3;
    let t_4 = h[10] + h[24];
    let delta_rho_part_2 = delta_rho_part_1 + t_4;
    let t_15 = t_3 - t_4;
    let t_5 = h[11] + h[21];
    let delta_rho_part_3 = delta_rho_part_2 + t_5;
    let j_y_part_1 = h[17] + h[21];
    let j_y_part_2 = j_y_part_1 + h[24];
    let t_14 = h[6] + h[17];
    let t_6 = h[12] + h[22];
    let delta_rho_part_4 = delta_rho_part_3 + t_6;
    let t_16 = t_5 - t_6;
    let t_7 = h[13] + h[25];
    let delta_rho_part_5 = delta_rho_part_4 + t_7;
    let t_8 = h[14] + h[26];
    let delta_rho_part_6 = delta_rho_part_5 + t_8;
    let t_17 = t_7 - t_8;
    let t_1 = h[7] + h[19];
    let j_y_part_3 = j_y_part_2 + t_1;
    let t_9 = h[1] + t_1;
    let delta_rho_part_7 = delta_rho_part_6 + t_9;
    let j_x_part_1 = t_9 + t_15;
    let j_x_part_2 = j_x_part_1 + t_16;
    let j_x_part_3 = j_x_part_2 + t_17;
    let j_z_part_1 = h[15] + h[19];
    let j_z_part_2 = j_z_part_1 + h[26];
    let t_11 = h[3] + h[15];
    let j_y_part_4 = j_y_part_3 + t_11;
    let j_y_part_5 = j_y_part_4 - h[18];
    let j_y_part_6 = j_y_part_5 - h[22];
    let j_y_part_7 = j_y_part_6 - h[23];
    let t_13 = h[5] + h[18];
    let j_z_part_3 = j_z_part_2 + t_13;
    let j_z_part_4 = j_z_part_3 + t_15;
    let j_z_part_5 = j_z_part_4 - h[16];
    let t_12 = h[4] + h[16];
    let j_z_part_6 = j_z_part_5 - h[20];
    let j_z_part_7 = j_z_part_6 - h[25];
    let t_2 = h[8] + h[20];
    let j_y_part_8 = j_y_part_7 - t_2;
    let t_10 = h[2] + t_2;
    let delta_rho_part_8 = delta_rho_part_7 + t_10;
    let delta_rho_part_9 = delta_rho_part_8 + t_11;
    let j_x = j_x_part_3 - t_10;
    let delta_rho_part_10 = delta_rho_part_9 + t_12;
    let delta_rho_part_11 = delta_rho_part_10 + t_13;
    let j_y_part_9 = j_y_part_8 - t_12;
    let j_y = j_y_part_9 - t_17;
    let delta_rho = delta_rho_part_11 + t_14;
    let j_z_part_8 = j_z_part_7 - t_14;
    let j_z = j_z_part_8 - t_16;
    let rho = V::constant(1.0) + delta_rho;
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
    let j_y = input[0] * input[2];
    let flux_yy = input[2] * j_y;
    let j_z = input[0] * input[3];
    let flux_zz = input[3] * j_z;
    let t_3 = flux_yy + flux_zz;
    let j_x = input[0] * input[1];
    let flux_xx = input[1] * j_x;
    let t_1 = V::constant(1.0) - input[0];
    let t_6 = V::constant(0.6666666666666666).mul_add(t_1, flux_xx);
    let t_23 = t_3 + t_6;
    let h_0_eq = V::constant(-0.4444444444444444) * t_23;
    let t_2 = V::constant(-0.3333333333333333).mul_add(t_1, flux_xx);
    let t_5 = j_x + t_2;
    let h_1_eq_part_1 = V::constant(-0.1111111111111111) * t_3;
    let h_1_eq = V::constant(0.2222222222222222).mul_add(t_5, h_1_eq_part_1);
    let t_4 = j_x - t_2;
    let h_2_eq_part_1 = V::constant(-0.1111111111111111) * t_3;
    let h_2_eq = V::constant(-0.2222222222222222).mul_add(t_4, h_2_eq_part_1);
    let t_9 = V::constant(-0.5).mul_add(flux_zz, flux_yy);
    let t_16 = j_y + t_9;
    let h_3_eq_part_1 = V::constant(-0.1111111111111111) * t_6;
    let h_3_eq = V::constant(0.2222222222222222).mul_add(t_16, h_3_eq_part_1);
    let t_15 = j_y - t_9;
    let h_4_eq_part_1 = V::constant(-0.1111111111111111) * t_6;
    let h_4_eq = V::constant(-0.2222222222222222).mul_add(t_15, h_4_eq_part_1);
    let t_10 = V::constant(-2.0).mul_add(flux_zz, flux_yy);
    let t_17 = V::constant(-0.5).mul_add(t_10, j_z);
    let h_5_eq_part_1 = V::constant(-0.1111111111111111) * t_6;
    let h_5_eq = V::constant(0.2222222222222222).mul_add(t_17, h_5_eq_part_1);
    let t_18 = V::constant(0.5).mul_add(t_10, j_z);
    let h_6_eq_part_1 = V::constant(-0.1111111111111111) * t_6;
    let h_6_eq = V::constant(-0.2222222222222222).mul_add(t_18, h_6_eq_part_1);
    let flux_xy = input[2] * j_x;
    let t_33 = t_5 + t_16;
    let h_7_eq_part_1 = V::constant(0.16666666666666666) * flux_xy;
    let h_7_eq = V::constant(0.05555555555555555).mul_add(t_33, h_7_eq_part_1);
    let t_24 = t_4 + t_15;
    let h_8_eq_part_1 = V::constant(0.16666666666666666) * flux_xy;
    let h_8_eq = V::constant(-0.05555555555555555).mul_add(t_24, h_8_eq_part_1);
    let flux_xz = input[3] * j_x;
    let t_34 = t_5 + t_17;
    let h_9_eq_part_1 = V::constant(0.16666666666666666) * flux_xz;
    let h_9_eq = V::constant(0.05555555555555555).mul_add(t_34, h_9_eq_part_1);
    let t_27 = t_4 + t_18;
    let h_10_eq_part_1 = V::constant(0.16666666666666666) * flux_xz;
    let h_10_eq = V::constant(-0.05555555555555555).mul_add(t_27, h_10_eq_part_1);
    let t_35 = t_5 - t_18;
    let h_11_eq_part_1 = V::constant(-0.16666666666666666) * flux_xz;
    let h_11_eq = V::constant(0.05555555555555555).mul_add(t_35, h_11_eq_part_1);
    let t_26 = t_4 - t_17;
    let h_12_eq_part_1 = V::constant(-0.16666666666666666) * flux_xz;
    let h_12_eq = V::constant(-0.05555555555555555).mul_add(t_26, h_12_eq_part_1);
    let t_32 = t_5 - t_15;
    let h_13_eq_part_1 = V::constant(-0.16666666666666666) * flux_xy;
    let h_13_eq = V::constant(0.05555555555555555).mul_add(t_32, h_13_eq_part_1);
    let t_25 = t_4 - t_16;
    let h_14_eq_part_1 = V::constant(-0.16666666666666666) * flux_xy;
    let h_14_eq = V::constant(-0.05555555555555555).mul_add(t_25, h_14_eq_part_1);
    let t_8 = j_y + j_z;
    let flux_yz = input[3] * j_y;
    let t_12 = V::constant(0.3333333333333333).mul_add(t_3, flux_yz);
    let t_22 = V::constant(3.0).mul_add(t_12, t_8);
    let h_15_eq_part_1 = V::constant(-0.027777777777777776) * t_6;
    let h_15_eq = V::constant(0.05555555555555555).mul_add(t_22, h_15_eq_part_1);
    let t_21 = V::constant(-3.0).mul_add(t_12, t_8);
    let h_16_eq_part_1 = V::constant(-0.027777777777777776) * t_6;
    let h_16_eq = V::constant(-0.05555555555555555).mul_add(t_21, h_16_eq_part_1);
    let t_7 = j_y - j_z;
    let t_11 = V::constant(-0.3333333333333333).mul_add(t_3, flux_yz);
    let t_19 = V::constant(-3.0).mul_add(t_11, t_7);
    let h_17_eq_part_1 = V::constant(-0.027777777777777776) * t_6;
    let h_17_eq = V::constant(0.05555555555555555).mul_add(t_19, h_17_eq_part_1);
    let t_20 = V::constant(3.0).mul_add(t_11, t_7);
    let h_18_eq_part_1 = V::constant(-0.027777777777777776) * t_6;
    let h_18_eq = V::constant(-0.05555555555555555).mul_add(t_20, h_18_eq_part_1);
    let t_14 = flux_xy + flux_xz;
    let t_39 = t_5 + t_22;
    let h_19_eq_part_1 = V::constant(0.041666666666666664) * t_14;
    let h_19_eq = V::constant(0.013888888888888888).mul_add(t_39, h_19_eq_part_1);
    let t_30 = t_4 + t_21;
    let h_20_eq_part_1 = V::constant(0.041666666666666664) * t_14;
    let h_20_eq = V::constant(-0.013888888888888888).mul_add(t_30, h_20_eq_part_1);
    let t_13 = flux_xy - flux_xz;
    let t_36 = t_5 + t_19;
    let h_21_eq_part_1 = V::constant(0.041666666666666664) * t_13;
    let h_21_eq = V::constant(0.013888888888888888).mul_add(t_36, h_21_eq_part_1);
    let t_29 = t_4 + t_20;
    let h_22_eq_part_1 = V::constant(0.041666666666666664) * t_13;
    let h_22_eq = V::constant(-0.013888888888888888).mul_add(t_29, h_22_eq_part_1);
    let t_37 = t_5 - t_20;
    let h_23_eq_part_1 = V::constant(-0.041666666666666664) * t_13;
    let h_23_eq = V::constant(0.013888888888888888).mul_add(t_37, h_23_eq_part_1);
    let t_28 = t_4 - t_19;
    let h_24_eq_part_1 = V::constant(-0.041666666666666664) * t_13;
    let h_24_eq = V::constant(-0.013888888888888888).mul_add(t_28, h_24_eq_part_1);
    let t_38 = t_5 - t_21;
    let h_25_eq_part_1 = V::constant(-0.041666666666666664) * t_14;
    let h_25_eq = V::constant(0.013888888888888888).mul_add(t_38, h_25_eq_part_1);
    let t_31 = t_4 - t_22;
    let h_26_eq_part_1 = V::constant(-0.041666666666666664) * t_14;
    let h_26_eq = V::constant(-0.013888888888888888).mul_add(t_31, h_26_eq_part_1);
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
    h[19] = h_19_eq;
    h[20] = h_20_eq;
    h[21] = h_21_eq;
    h[22] = h_22_eq;
    h[23] = h_23_eq;
    h[24] = h_24_eq;
    h[25] = h_25_eq;
    h[26] = h_26_eq;
}
