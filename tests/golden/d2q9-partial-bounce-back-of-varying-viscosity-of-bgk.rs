// d2q9-partial-bounce-back-of-varying-viscosity-of-bgk
// PartialBounceBack<VaryingViscosity<Bgk>> on D2Q9, quasi-compressible equilibrium, no force.
// Operations a node: adds 76, muls 59, divs 2, others 0; 26 adds and muls are fused in fmas.
// At most 19 values live at once.
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
// site.field(0) is the node's `solidity`.
// site.field(1) is the node's `ratio`.
// k[..] are the same for all nodes; `uniforms` computes them once a run.

fn uniforms(parameters: &[f64]) -> [f64; 1] {
    let viscosity: f64 = parameters[0];
    [viscosity]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 1]) {
    let [k_0] = *k;
    let viscosity_2 = k_0 * site.field(1);
    let viscosity_2_again_2 = V::constant(3.0).mul_add(viscosity_2, V::constant(0.5));
    let inverse_viscosity_2 = V::constant(1.0) / viscosity_2_again_2;
    let viscosity_2_inverse_viscosity_2 = viscosity_2 * inverse_viscosity_2;
    let omega = V::constant(-6.0) * viscosity_2_inverse_viscosity_2;
    let h_0_omega = site.read(0) * omega;
    let t_16 = site.read(1) + site.read(5);
    let t_17 = site.read(2) + site.read(6);
    let t_18 = site.read(3) + site.read(8);
    let t_19 = site.read(4) + site.read(7);
    let delta_rho_part_1 = site.read(0) + t_16;
    let delta_rho_part_2 = delta_rho_part_1 + t_17;
    let delta_rho_part_3 = delta_rho_part_2 + t_18;
    let delta_rho = delta_rho_part_3 + t_19;
    let j_x_part_1 = site.read(7) + t_16;
    let j_x_part_2 = j_x_part_1 - site.read(8);
    let j_x = j_x_part_2 - t_17;
    let rho = V::constant(1.0) + delta_rho;
    let inverse_rho = V::constant(1.0) / rho;
    let u_x = j_x * inverse_rho;
    let flux_xx = j_x * u_x;
    let j_y_part_1 = site.read(5) + t_18;
    let j_y_part_2 = j_y_part_1 - site.read(6);
    let j_y = j_y_part_2 - t_19;
    let u_y = j_y * inverse_rho;
    let flux_yy = j_y * u_y;
    let flux_trace = flux_xx + flux_yy;
    let t_1 = V::constant(-1.5).mul_add(flux_trace, delta_rho);
    let delta_rho_omega = delta_rho * omega;
    let flux_trace_omega = flux_trace * omega;
    let t_2 = V::constant(-1.5).mul_add(flux_trace_omega, delta_rho_omega);
    let t_3 = V::constant(0.5).mul_add(t_2, t_1);
    let after_0_part_1 = -site.read(0) - h_0_omega;
    let after_0 = V::constant(0.8888888888888888).mul_add(t_3, after_0_part_1);
    let by_solidity = site.read(0) - after_0;
    let with_solidity = site.field(0) * by_solidity;
    let post_0 = after_0 + with_solidity;
    site.write(0, post_0);
    let h_1_omega = site.read(1) * omega;
    let j_x_omega = j_x * omega;
    let t_4 = V::constant(0.5).mul_add(j_x_omega, j_x);
    let flux_xx_omega = flux_xx * omega;
    let t_5 = V::constant(0.5).mul_add(flux_xx_omega, flux_xx);
    let t_8 = V::constant(0.2222222222222222).mul_add(t_3, t_5);
    let after_1_part_1 = t_8 - site.read(1);
    let after_1_part_2 = after_1_part_1 - h_1_omega;
    let after_1 = V::constant(0.6666666666666666).mul_add(t_4, after_1_part_2);
    let by_solidity_again_2 = site.read(2) - after_1;
    let with_solidity_again_2 = site.field(0) * by_solidity_again_2;
    let post_1 = after_1 + with_solidity_again_2;
    site.write(1, post_1);
    let h_2_omega = site.read(2) * omega;
    let after_2_part_1 = t_8 - site.read(2);
    let after_2_part_2 = after_2_part_1 - h_2_omega;
    let after_2 = V::constant(-0.6666666666666666).mul_add(t_4, after_2_part_2);
    let by_solidity_again_3 = site.read(1) - after_2;
    let with_solidity_again_3 = site.field(0) * by_solidity_again_3;
    let post_2 = after_2 + with_solidity_again_3;
    site.write(2, post_2);
    let h_3_omega = site.read(3) * omega;
    let j_y_omega = j_y * omega;
    let t_6 = V::constant(0.5).mul_add(j_y_omega, j_y);
    let flux_yy_omega = flux_yy * omega;
    let t_7 = V::constant(0.5).mul_add(flux_yy_omega, flux_yy);
    let t_13 = V::constant(0.2222222222222222).mul_add(t_3, t_7);
    let after_3_part_1 = t_13 - site.read(3);
    let after_3_part_2 = after_3_part_1 - h_3_omega;
    let after_3 = V::constant(0.6666666666666666).mul_add(t_6, after_3_part_2);
    let by_solidity_again_4 = site.read(4) - after_3;
    let with_solidity_again_4 = site.field(0) * by_solidity_again_4;
    let post_3 = after_3 + with_solidity_again_4;
    site.write(3, post_3);
    let h_4_omega = site.read(4) * omega;
    let after_4_part_1 = t_13 - site.read(4);
    let after_4_part_2 = after_4_part_1 - h_4_omega;
    let after_4 = V::constant(-0.6666666666666666).mul_add(t_6, after_4_part_2);
    let by_solidity_again_5 = site.read(3) - after_4;
    let with_solidity_again_5 = site.field(0) * by_solidity_again_5;
    let post_4 = after_4 + with_solidity_again_5;
    site.write(4, post_4);
    let h_5_omega = site.read(5) * omega;
    let t_11 = t_4 + t_6;
    let t_9 = t_7 + t_8;
    let flux_xy = j_x * u_y;
    let flux_xy_omega = flux_xy * omega;
    let t_10 = V::constant(0.5).mul_add(flux_xy_omega, flux_xy);
    let t_15 = V::constant(2.0).mul_add(t_10, t_9);
    let after_5_part_1 = -site.read(5) - h_5_omega;
    let after_5_part_2 = V::constant(0.16666666666666666).mul_add(t_11, after_5_part_1);
    let after_5 = V::constant(0.25).mul_add(t_15, after_5_part_2);
    let by_solidity_again_6 = site.read(6) - after_5;
    let with_solidity_again_6 = site.field(0) * by_solidity_again_6;
    let post_5 = after_5 + with_solidity_again_6;
    site.write(5, post_5);
    let h_6_omega = site.read(6) * omega;
    let after_6_part_1 = -site.read(6) - h_6_omega;
    let after_6_part_2 = V::constant(-0.16666666666666666).mul_add(t_11, after_6_part_1);
    let after_6 = V::constant(0.25).mul_add(t_15, after_6_part_2);
    let by_solidity_again_7 = site.read(5) - after_6;
    let with_solidity_again_7 = site.field(0) * by_solidity_again_7;
    let post_6 = after_6 + with_solidity_again_7;
    site.write(6, post_6);
    let h_7_omega = site.read(7) * omega;
    let t_12 = t_4 - t_6;
    let t_14 = V::constant(-2.0).mul_add(t_10, t_9);
    let after_7_part_1 = -site.read(7) - h_7_omega;
    let after_7_part_2 = V::constant(0.16666666666666666).mul_add(t_12, after_7_part_1);
    let after_7 = V::constant(0.25).mul_add(t_14, after_7_part_2);
    let by_solidity_again_8 = site.read(8) - after_7;
    let with_solidity_again_8 = site.field(0) * by_solidity_again_8;
    let post_7 = after_7 + with_solidity_again_8;
    site.write(7, post_7);
    let h_8_omega = site.read(8) * omega;
    let after_8_part_1 = -site.read(8) - h_8_omega;
    let after_8_part_2 = V::constant(-0.16666666666666666).mul_add(t_12, after_8_part_1);
    let after_8 = V::constant(0.25).mul_add(t_14, after_8_part_2);
    let by_solidity_again_9 = site.read(7) - after_8;
    let with_solidity_again_9 = site.field(0) * by_solidity_again_9;
    let post_8 = after_8 + with_solidity_again_9;
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

fn viscosity(
    h: &[f64],
    force: [f64; 3],
    parameters: &[f64],
    fields: &[f64],
) -> Option<f64> {
    use ::lbm::core::Lanes as _;
    type V = f64;
    let input = [force[0], force[1], force[2], fields[0], fields[1]];
    let _ = (h, input, V::default());
    let [k_0]: [f64; 1] = {
        let viscosity: f64 = parameters[0];
        [viscosity]
    };
    let viscosity = k_0 * input[4];
    Some(viscosity)
}
