// d3q27-mrt-incompressible
// Mrt on D3Q27, incompressible equilibrium, no force.
// Operations a node: adds 232, muls 145, divs 0, others 0; 89 adds and muls are fused in fmas.
// At most 40 values live at once.
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

fn uniforms(parameters: &[f64]) -> [f64; 21] {
    let rates_xx_trace: f64 = parameters[1];
    let rates_xxxx_trace: f64 = parameters[9];
    let rates_xxxxxx_trace: f64 = parameters[18];
    let viscosity: f64 = parameters[0];
    let omega: f64 = 1.0 / (0.5 + 3.0 * viscosity);
    let rates_xxxx_2: f64 = parameters[10];
    let rates_xxxx_3: f64 = parameters[11];
    let rates_xxx_trace: f64 = parameters[2];
    let rates_xxxxx_trace: f64 = parameters[15];
    let rates_xxy_trace: f64 = parameters[4];
    let rates_xxxxy_trace: f64 = parameters[16];
    let rates_xxz_trace: f64 = parameters[6];
    let rates_xxxxz_trace: f64 = parameters[17];
    let rates_xxxy_trace: f64 = parameters[12];
    let rates_xxx_2: f64 = parameters[3];
    let rates_xxy_1: f64 = parameters[5];
    let rates_xxxz_trace: f64 = parameters[13];
    let rates_xxz_1: f64 = parameters[7];
    let rates_xxyz_trace: f64 = parameters[14];
    let rates_xyz: f64 = parameters[8];
    [
        rates_xx_trace,
        1.0 - rates_xx_trace,
        1.0 - rates_xxxx_trace,
        1.0 - rates_xxxxxx_trace,
        1.0 - omega,
        omega,
        1.0 - rates_xxxx_2,
        1.0 - rates_xxxx_3,
        1.0 - rates_xxx_trace,
        1.0 - rates_xxxxx_trace,
        1.0 - rates_xxy_trace,
        1.0 - rates_xxxxy_trace,
        1.0 - rates_xxz_trace,
        1.0 - rates_xxxxz_trace,
        1.0 - rates_xxxy_trace,
        1.0 - rates_xxx_2,
        1.0 - rates_xxy_1,
        1.0 - rates_xxxz_trace,
        1.0 - rates_xxz_1,
        1.0 - rates_xxyz_trace,
        1.0 - rates_xyz,
    ]
}

#[inline(always)]
fn collide<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; 21]) {
    let [k_0, k_1, k_2, k_3, k_4, k_5, k_6, k_7, k_8, k_9, k_10, k_11, k_12, k_13, k_14,
    k_15, k_16, k_17, k_18, k_19, k_20] = *k;
    let t_1 = site.read(19) + site.read(21);
    let t_11 = site.read(19) - site.read(21);
    let t_3 = site.read(23) + site.read(25);
    let t_13 = site.read(23) - site.read(25);
    let t_15 = t_1 + t_3;
    let t_31 = t_1 - t_3;
    let t_33 = t_11 + t_13;
    let t_73 = t_11 - t_13;
    let t_2 = site.read(20) + site.read(22);
    let t_12 = site.read(20) - site.read(22);
    let t_4 = site.read(24) + site.read(26);
    let t_14 = site.read(24) - site.read(26);
    let t_16 = t_2 + t_4;
    let t_32 = t_2 - t_4;
    let t_53 = t_15 + t_16;
    let t_66 = t_15 - t_16;
    let t_67 = t_31 - t_32;
    let t_99 = t_31 + t_32;
    let t_34 = t_12 + t_14;
    let t_74 = t_12 - t_14;
    let t_68 = t_33 - t_34;
    let t_100 = t_33 + t_34;
    let t_105 = t_73 + t_74;
    let m_16 = t_73 - t_74;
    let post_16_again_2 = k_20 * m_16;
    let m_eq_0_part_1 = site.read(0) + t_53;
    let m_26_part_1 = V::constant(8.0).mul_add(t_53, -site.read(0));
    let t_23 = site.read(5) + site.read(6);
    let t_71 = site.read(5) - site.read(6);
    let u_z_part_1 = t_68 + t_71;
    let m_25_part_1 = V::constant(4.0).mul_add(t_68, t_71);
    let t_21 = site.read(3) + site.read(4);
    let t_70 = site.read(3) - site.read(4);
    let u_y_part_1 = t_67 + t_70;
    let m_24_part_1 = V::constant(4.0).mul_add(t_67, t_70);
    let t_22 = site.read(1) + site.read(2);
    let t_69 = site.read(1) - site.read(2);
    let t_59 = t_21 + t_22;
    let t_75 = t_23 + t_59;
    let m_eq_0_part_2 = m_eq_0_part_1 + t_75;
    let m_26_part_2 = V::constant(2.0).mul_add(t_75, m_26_part_1);
    let m_17_part_1 = site.read(0) - t_75;
    let m_17 = V::constant(4.0).mul_add(t_53, m_17_part_1);
    let post_17 = k_2 * m_17;
    let u_x_part_1 = t_66 + t_69;
    let m_19_part_1 = t_21 - t_22;
    let m_23_part_1 = V::constant(4.0).mul_add(t_66, t_69);
    let t_9 = site.read(7) + site.read(13);
    let t_25 = site.read(7) - site.read(13);
    let t_10 = site.read(8) + site.read(14);
    let t_26 = site.read(8) - site.read(14);
    let t_24 = t_9 + t_10;
    let t_58 = t_9 - t_10;
    let m_18_part_1 = V::constant(4.0).mul_add(t_24, -t_59);
    let t_60 = t_25 - t_26;
    let t_109 = t_25 + t_26;
    let t_108 = t_23 - t_24;
    let m_7 = t_99 + t_109;
    let m_20 = V::constant(2.0).mul_add(t_99, -t_109);
    let post_20 = k_14 * m_20;
    let t_5 = site.read(9) + site.read(11);
    let t_27 = site.read(9) - site.read(11);
    let t_6 = site.read(10) + site.read(12);
    let t_28 = site.read(10) - site.read(12);
    let t_19 = t_5 + t_6;
    let t_56 = t_5 - t_6;
    let t_107 = t_19 - t_21;
    let t_77 = t_56 + t_58;
    let m_11 = t_58 - t_56;
    let u_x = u_x_part_1 + t_77;
    let m_10_part_1 = V::constant(4.0).mul_add(t_66, t_77);
    let m_10 = V::constant(-2.0).mul_add(t_69, m_10_part_1);
    let m_23 = V::constant(-2.0).mul_add(t_77, m_23_part_1);
    let post_10 = k_8 * m_10;
    let post_23 = k_9 * m_23;
    let post_11 = k_15 * m_11;
    let flux_xx = u_x * u_x;
    let t_61 = t_27 - t_28;
    let t_110 = t_27 + t_28;
    let m_5_part_1 = t_107 - t_108;
    let m_6 = -t_107 - t_108;
    let post_6_part_1 = k_4 * m_6;
    let odd_0_part_1 = V::constant(0.2222222222222222) * u_x;
    let odd_0_part_2 = V::constant(-0.1111111111111111).mul_add(post_10, odd_0_part_1);
    let odd_0 = V::constant(0.05555555555555555).mul_add(post_23, odd_0_part_2);
    let t_46 = V::constant(0.25).mul_add(post_10, u_x);
    let t_50 = V::constant(-2.0).mul_add(t_46, post_23);
    let t_35 = u_x + post_10;
    let t_40 = post_23 + t_35;
    let t_89 = V::constant(-0.2222222222222222).mul_add(t_50, post_11);
    let t_90 = V::constant(0.2222222222222222).mul_add(t_50, post_11);
    let m_8 = t_100 + t_110;
    let m_21 = V::constant(2.0).mul_add(t_100, -t_110);
    let post_21 = k_17 * m_21;
    let t_7 = site.read(15) + site.read(17);
    let t_29 = site.read(15) - site.read(17);
    let t_8 = site.read(16) + site.read(18);
    let t_30 = site.read(16) - site.read(18);
    let t_20 = t_7 + t_8;
    let t_57 = t_7 - t_8;
    let t_114 = t_20 - t_22;
    let m_5 = V::constant(-2.0).mul_add(t_114, m_5_part_1);
    let post_5_part_1 = k_4 * m_5;
    let t_55 = t_19 + t_20;
    let t_113 = t_19 - t_20;
    let m_19 = V::constant(2.0).mul_add(t_113, m_19_part_1);
    let t_76 = t_24 + t_55;
    let t_115 = t_23 - t_55;
    let m_18 = V::constant(2.0).mul_add(t_115, m_18_part_1);
    let m_eq_0 = m_eq_0_part_2 + t_76;
    let m_4_part_1 = t_76 - site.read(0);
    let m_4 = V::constant(2.0).mul_add(t_53, m_4_part_1);
    let m_26 = V::constant(-4.0).mul_add(t_76, m_26_part_2);
    let post_26 = k_3 * m_26;
    let post_18 = k_6 * m_18;
    let post_19 = k_7 * m_19;
    let t_78 = t_57 + t_60;
    let m_13 = t_60 - t_57;
    let u_y = u_y_part_1 + t_78;
    let m_12_part_1 = V::constant(4.0).mul_add(t_67, t_78);
    let m_12 = V::constant(-2.0).mul_add(t_70, m_12_part_1);
    let m_24 = V::constant(-2.0).mul_add(t_78, m_24_part_1);
    let post_12 = k_10 * m_12;
    let post_24 = k_11 * m_24;
    let post_13 = k_16 * m_13;
    let flux_yy = u_y * u_y;
    let t_62 = t_29 - t_30;
    let t_111 = t_29 + t_30;
    let t_79 = t_61 + t_62;
    let m_15 = t_61 - t_62;
    let u_z = u_z_part_1 + t_79;
    let m_14_part_1 = V::constant(4.0).mul_add(t_68, t_79);
    let m_14 = V::constant(-2.0).mul_add(t_71, m_14_part_1);
    let m_25 = V::constant(-2.0).mul_add(t_79, m_25_part_1);
    let post_14 = k_12 * m_14;
    let post_25 = k_13 * m_25;
    let post_15 = k_18 * m_15;
    let flux_zz = u_z * u_z;
    let t_72 = flux_yy + flux_zz;
    let m_eq_6 = flux_yy - flux_zz;
    let post_6 = k_5.mul_add(m_eq_6, post_6_part_1);
    let flux_trace = flux_xx + t_72;
    let m_eq_5 = V::constant(2.0).mul_add(flux_xx, -t_72);
    let post_5 = k_5.mul_add(m_eq_5, post_5_part_1);
    let post_4_part_1 = k_0 * flux_trace;
    let post_4 = k_1.mul_add(m_4, post_4_part_1);
    let post_0_part_1 = V::constant(0.2962962962962963) * m_eq_0;
    let post_0_part_2 = V::constant(-0.4444444444444444).mul_add(post_4, post_0_part_1);
    let post_0_part_3 = V::constant(0.2222222222222222).mul_add(post_17, post_0_part_2);
    let post_0 = V::constant(-0.037037037037037035).mul_add(post_26, post_0_part_3);
    site.write(0, post_0);
    let t_63 = V::constant(-0.75).mul_add(post_17, m_eq_0);
    let t_64 = V::constant(4.0).mul_add(t_63, post_26);
    let t_39 = post_4 + post_17;
    let t_17 = V::constant(1.5).mul_add(post_4, m_eq_0);
    let t_18 = V::constant(-2.0).mul_add(t_17, post_26);
    let t_38 = m_eq_0 + post_26;
    let t_54 = V::constant(3.0).mul_add(t_39, t_38);
    let even_0_part_1 = V::constant(0.1111111111111111) * post_5;
    let even_0_part_2 = V::constant(-0.027777777777777776)
        .mul_add(post_18, even_0_part_1);
    let even_0_part_3 = V::constant(-0.08333333333333333)
        .mul_add(post_19, even_0_part_2);
    let even_0 = V::constant(0.018518518518518517).mul_add(t_64, even_0_part_3);
    let post_1 = even_0 + odd_0;
    site.write(1, post_1);
    let post_2 = even_0 - odd_0;
    site.write(2, post_2);
    let t_65 = V::constant(0.5).mul_add(post_18, post_5);
    let even_1_part_1 = V::constant(0.08333333333333333) * post_19;
    let even_1_part_2 = V::constant(0.16666666666666666).mul_add(post_6, even_1_part_1);
    let even_1_part_3 = V::constant(0.018518518518518517).mul_add(t_64, even_1_part_2);
    let even_1 = V::constant(-0.05555555555555555).mul_add(t_65, even_1_part_3);
    let odd_1_part_1 = V::constant(0.2222222222222222) * u_y;
    let odd_1_part_2 = V::constant(-0.1111111111111111).mul_add(post_12, odd_1_part_1);
    let odd_1 = V::constant(0.05555555555555555).mul_add(post_24, odd_1_part_2);
    let post_3 = even_1 + odd_1;
    site.write(3, post_3);
    let post_4_again_2 = even_1 - odd_1;
    site.write(4, post_4_again_2);
    let t_112 = post_5 - post_18;
    let t_49 = V::constant(-0.6666666666666666).mul_add(t_18, post_5);
    let t_87 = V::constant(0.2222222222222222).mul_add(t_18, post_19);
    let t_104 = V::constant(1.5).mul_add(t_87, t_65);
    let t_81 = post_19 - post_6;
    let even_2_part_1 = V::constant(-0.16666666666666666) * post_6;
    let even_2_part_2 = V::constant(0.018518518518518517).mul_add(t_64, even_2_part_1);
    let even_2 = V::constant(-0.05555555555555555).mul_add(t_112, even_2_part_2);
    let t_86 = V::constant(1.5).mul_add(post_6, post_18);
    let t_103 = V::constant(2.0).mul_add(t_86, t_49);
    let t_80 = post_18 - t_49;
    let t_106 = V::constant(-3.0).mul_add(t_81, t_80);
    let odd_2_part_1 = V::constant(0.2222222222222222) * u_z;
    let odd_2_part_2 = V::constant(-0.1111111111111111).mul_add(post_14, odd_2_part_1);
    let odd_2 = V::constant(0.05555555555555555).mul_add(post_25, odd_2_part_2);
    let post_5_again_2 = even_2 + odd_2;
    site.write(5, post_5_again_2);
    let post_6_again_2 = even_2 - odd_2;
    site.write(6, post_6_again_2);
    let flux_xy = u_x * u_y;
    let post_7_part_1 = k_5 * flux_xy;
    let post_7 = k_4.mul_add(m_7, post_7_part_1);
    let flux_xz = u_x * u_z;
    let post_8_part_1 = k_5 * flux_xz;
    let post_8_again_2 = k_4.mul_add(m_8, post_8_part_1);
    let t_88 = V::constant(-0.5).mul_add(post_20, post_7);
    let t_43 = post_7 + post_20;
    let even_3_part_1 = V::constant(0.16666666666666666) * t_88;
    let even_3 = V::constant(0.013888888888888888).mul_add(t_103, even_3_part_1);
    let even_6_part_1 = V::constant(-0.16666666666666666) * t_88;
    let even_6 = V::constant(0.013888888888888888).mul_add(t_103, even_6_part_1);
    let t_47 = V::constant(0.25).mul_add(post_12, u_y);
    let t_51 = V::constant(-2.0).mul_add(t_47, post_24);
    let t_36 = u_y + post_12;
    let t_41 = post_24 + t_36;
    let flux_yz = u_y * u_z;
    let post_9_part_1 = k_5 * flux_yz;
    let t_91 = V::constant(-0.2222222222222222).mul_add(t_51, post_13);
    let t_92 = V::constant(0.2222222222222222).mul_add(t_51, post_13);
    let t_121 = t_89 + t_91;
    let t_120 = t_89 - t_91;
    let odd_3 = V::constant(0.125) * t_121;
    let post_7_again_2 = even_3 + odd_3;
    site.write(7, post_7_again_2);
    let post_8 = even_3 - odd_3;
    site.write(8, post_8);
    let odd_6 = V::constant(0.125) * t_120;
    let post_13_again_2 = even_6 + odd_6;
    site.write(13, post_13_again_2);
    let post_14_again_2 = even_6 - odd_6;
    site.write(14, post_14_again_2);
    let t_93 = V::constant(-0.5).mul_add(post_21, post_8_again_2);
    let t_44 = post_8_again_2 + post_21;
    let even_4_part_1 = V::constant(0.16666666666666666) * t_93;
    let even_4 = V::constant(-0.013888888888888888).mul_add(t_106, even_4_part_1);
    let even_5_part_1 = V::constant(-0.16666666666666666) * t_93;
    let even_5 = V::constant(-0.013888888888888888).mul_add(t_106, even_5_part_1);
    let t_48 = V::constant(0.25).mul_add(post_14, u_z);
    let t_37 = u_z + post_14;
    let t_52 = V::constant(-2.0).mul_add(t_48, post_25);
    let t_42 = post_25 + t_37;
    let t_94 = V::constant(-0.2222222222222222).mul_add(t_52, post_15);
    let t_95 = V::constant(0.2222222222222222).mul_add(t_52, post_15);
    let t_122 = t_90 - t_94;
    let t_123 = t_90 + t_94;
    let odd_4 = V::constant(-0.125) * t_122;
    let post_9 = even_4 + odd_4;
    site.write(9, post_9);
    let post_10_again_2 = even_4 - odd_4;
    site.write(10, post_10_again_2);
    let odd_5 = V::constant(-0.125) * t_123;
    let post_11_again_2 = even_5 + odd_5;
    site.write(11, post_11_again_2);
    let post_12_again_2 = even_5 - odd_5;
    site.write(12, post_12_again_2);
    let m_9 = t_105 + t_111;
    let post_9_again_2 = k_4.mul_add(m_9, post_9_part_1);
    let m_22 = V::constant(2.0).mul_add(t_105, -t_111);
    let post_22 = k_19 * m_22;
    let t_96 = V::constant(-0.5).mul_add(post_22, post_9_again_2);
    let t_45 = post_9_again_2 + post_22;
    let even_7_part_1 = V::constant(0.16666666666666666) * t_96;
    let even_7 = V::constant(-0.027777777777777776).mul_add(t_104, even_7_part_1);
    let even_8_part_1 = V::constant(-0.16666666666666666) * t_96;
    let even_8 = V::constant(-0.027777777777777776).mul_add(t_104, even_8_part_1);
    let t_125 = t_92 + t_95;
    let t_124 = t_92 - t_95;
    let odd_7 = V::constant(-0.125) * t_125;
    let post_15_again_2 = even_7 + odd_7;
    site.write(15, post_15_again_2);
    let post_16 = even_7 - odd_7;
    site.write(16, post_16);
    let odd_8 = V::constant(-0.125) * t_124;
    let post_17_again_2 = even_8 + odd_8;
    site.write(17, post_17_again_2);
    let post_18_again_2 = even_8 - odd_8;
    site.write(18, post_18_again_2);
    let t_85 = t_43 + t_44;
    let t_84 = t_43 - t_44;
    let t_101 = V::constant(0.1111111111111111).mul_add(t_54, t_45);
    let t_102 = V::constant(-0.1111111111111111).mul_add(t_54, t_45);
    let t_119 = t_85 + t_101;
    let t_118 = t_85 - t_101;
    let even_9 = V::constant(0.041666666666666664) * t_119;
    let even_12 = V::constant(-0.041666666666666664) * t_118;
    let t_83 = t_40 + t_41;
    let t_82 = t_40 - t_41;
    let t_97 = V::constant(0.1111111111111111).mul_add(t_42, post_16_again_2);
    let t_98 = V::constant(-0.1111111111111111).mul_add(t_42, post_16_again_2);
    let odd_9_part_1 = V::constant(0.013888888888888888) * t_83;
    let odd_9 = V::constant(0.125).mul_add(t_97, odd_9_part_1);
    let post_19_again_2 = even_9 + odd_9;
    site.write(19, post_19_again_2);
    let post_20_again_2 = even_9 - odd_9;
    site.write(20, post_20_again_2);
    let odd_10_part_1 = V::constant(0.013888888888888888) * t_83;
    let odd_10 = V::constant(-0.125).mul_add(t_97, odd_10_part_1);
    let t_116 = t_84 - t_102;
    let t_117 = t_84 + t_102;
    let even_10 = V::constant(0.041666666666666664) * t_116;
    let post_21_again_2 = even_10 + odd_10;
    site.write(21, post_21_again_2);
    let post_22_again_2 = even_10 - odd_10;
    site.write(22, post_22_again_2);
    let even_11 = V::constant(-0.041666666666666664) * t_117;
    let odd_11_part_1 = V::constant(0.013888888888888888) * t_82;
    let odd_11 = V::constant(-0.125).mul_add(t_98, odd_11_part_1);
    let post_23_again_2 = even_11 + odd_11;
    site.write(23, post_23_again_2);
    let post_24_again_2 = even_11 - odd_11;
    site.write(24, post_24_again_2);
    let odd_12_part_1 = V::constant(0.013888888888888888) * t_82;
    let odd_12 = V::constant(0.125).mul_add(t_98, odd_12_part_1);
    let post_25_again_2 = even_12 + odd_12;
    site.write(25, post_25_again_2);
    let post_26_again_2 = even_12 - odd_12;
    site.write(26, post_26_again_2);
}

#[inline(always)]
fn macroscopic<V: ::lbm::core::Lanes<Scalar = f64>>(h: &[V], force: [V; 3]) -> [V; 4] {
    let input = force;
    let _ = input;
    let rho_part_1 = V::constant(1.0) + h[0];
    let t_3 = h[9] + h[23];
    let rho_part_2 = rho_part_1 + t_3;
    let t_4 = h[10] + h[24];
    let rho_part_3 = rho_part_2 + t_4;
    let t_15 = t_3 - t_4;
    let t_5 = h[11] + h[21];
    let rho_part_4 = rho_part_3 + t_5;
    let u_y_part_1 = h[17] + h[21];
    let u_y_part_2 = u_y_part_1 + h[24];
    let t_14 = h[6] + h[17];
    let t_6 = h[12] + h[22];
    let rho_part_5 = rho_part_4 + t_6;
    let t_16 = t_5 - t_6;
    let t_7 = h[13] + h[25];
    let rho_part_6 = rho_part_5 + t_7;
    let t_8 = h[14] + h[26];
    let rho_part_7 = rho_part_6 + t_8;
    let t_17 = t_7 - t_8;
    let t_1 = h[7] + h[19];
    let u_y_part_3 = u_y_part_2 + t_1;
    let t_9 = h[1] + t_1;
    let rho_part_8 = rho_part_7 + t_9;
    let u_x_part_1 = t_9 + t_15;
    let u_x_part_2 = u_x_part_1 + t_16;
    let u_x_part_3 = u_x_part_2 + t_17;
    let u_z_part_1 = h[15] + h[19];
    let u_z_part_2 = u_z_part_1 + h[26];
    let t_11 = h[3] + h[15];
    let u_y_part_4 = u_y_part_3 + t_11;
    let u_y_part_5 = u_y_part_4 - h[18];
    let u_y_part_6 = u_y_part_5 - h[22];
    let u_y_part_7 = u_y_part_6 - h[23];
    let t_13 = h[5] + h[18];
    let u_z_part_3 = u_z_part_2 + t_13;
    let u_z_part_4 = u_z_part_3 + t_15;
    let u_z_part_5 = u_z_part_4 - h[16];
    let t_12 = h[4] + h[16];
    let u_z_part_6 = u_z_part_5 - h[20];
    let u_z_part_7 = u_z_part_6 - h[25];
    let t_2 = h[8] + h[20];
    let u_y_part_8 = u_y_part_7 - t_2;
    let t_10 = h[2] + t_2;
    let u_x = u_x_part_3 - t_10;
    let rho_part_9 = rho_part_8 + t_10;
    let rho_part_10 = rho_part_9 + t_11;
    let rho_part_11 = rho_part_10 + t_12;
    let rho_part_12 = rho_part_11 + t_13;
    let rho = rho_part_12 + t_14;
    let u_y_part_9 = u_y_part_8 - t_12;
    let u_y = u_y_part_9 - t_17;
    let u_z_part_8 = u_z_part_7 - t_14;
    let u_z = u_z_part_8 - t_16;
    [rho, u_x, u_y, u_z]
}

fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]) {
    use ::lbm::core::Lanes as _;
    type V = f64;
    let input = [rho, u[0], u[1], u[2]];
    let _ = V::default();
    let flux_xx = input[1] * input[1];
    let flux_yy = input[2] * input[2];
    let flux_zz = input[3] * input[3];
    let t_4 = flux_yy + flux_zz;
    let flux_trace = flux_xx + t_4;
    let t_1 = V::constant(1.0) - input[0];
    let t_2 = V::constant(0.6666666666666666).mul_add(t_1, flux_trace);
    let h_0_eq = V::constant(-0.4444444444444444) * t_2;
    let t_3 = V::constant(-0.3333333333333333).mul_add(t_2, flux_xx);
    let t_5 = V::constant(1.5).mul_add(t_3, input[1]);
    let h_1_eq = V::constant(0.2222222222222222) * t_5;
    let t_6 = V::constant(-1.5).mul_add(t_3, input[1]);
    let h_2_eq = V::constant(-0.2222222222222222) * t_6;
    let t_13 = V::constant(1.5).mul_add(flux_yy, input[2]);
    let h_3_eq_part_1 = V::constant(-0.1111111111111111) * t_2;
    let h_3_eq = V::constant(0.2222222222222222).mul_add(t_13, h_3_eq_part_1);
    let t_14 = V::constant(-1.5).mul_add(flux_yy, input[2]);
    let h_4_eq_part_1 = V::constant(-0.1111111111111111) * t_2;
    let h_4_eq = V::constant(-0.2222222222222222).mul_add(t_14, h_4_eq_part_1);
    let t_15 = V::constant(1.5).mul_add(flux_zz, input[3]);
    let h_5_eq_part_1 = V::constant(-0.1111111111111111) * t_2;
    let h_5_eq = V::constant(0.2222222222222222).mul_add(t_15, h_5_eq_part_1);
    let t_16 = V::constant(-1.5).mul_add(flux_zz, input[3]);
    let h_6_eq_part_1 = V::constant(-0.1111111111111111) * t_2;
    let h_6_eq = V::constant(-0.2222222222222222).mul_add(t_16, h_6_eq_part_1);
    let flux_xy = input[1] * input[2];
    let t_21 = t_5 + t_13;
    let h_7_eq_part_1 = V::constant(0.16666666666666666) * flux_xy;
    let h_7_eq = V::constant(0.05555555555555555).mul_add(t_21, h_7_eq_part_1);
    let t_30 = t_6 + t_14;
    let h_8_eq_part_1 = V::constant(0.16666666666666666) * flux_xy;
    let h_8_eq = V::constant(-0.05555555555555555).mul_add(t_30, h_8_eq_part_1);
    let flux_xz = input[1] * input[3];
    let t_23 = t_5 + t_15;
    let h_9_eq_part_1 = V::constant(0.16666666666666666) * flux_xz;
    let h_9_eq = V::constant(0.05555555555555555).mul_add(t_23, h_9_eq_part_1);
    let t_32 = t_6 + t_16;
    let h_10_eq_part_1 = V::constant(0.16666666666666666) * flux_xz;
    let h_10_eq = V::constant(-0.05555555555555555).mul_add(t_32, h_10_eq_part_1);
    let t_24 = t_5 - t_16;
    let h_11_eq_part_1 = V::constant(-0.16666666666666666) * flux_xz;
    let h_11_eq = V::constant(0.05555555555555555).mul_add(t_24, h_11_eq_part_1);
    let t_31 = t_6 - t_15;
    let h_12_eq_part_1 = V::constant(-0.16666666666666666) * flux_xz;
    let h_12_eq = V::constant(-0.05555555555555555).mul_add(t_31, h_12_eq_part_1);
    let t_22 = t_5 - t_14;
    let h_13_eq_part_1 = V::constant(-0.16666666666666666) * flux_xy;
    let h_13_eq = V::constant(0.05555555555555555).mul_add(t_22, h_13_eq_part_1);
    let t_29 = t_6 - t_13;
    let h_14_eq_part_1 = V::constant(-0.16666666666666666) * flux_xy;
    let h_14_eq = V::constant(-0.05555555555555555).mul_add(t_29, h_14_eq_part_1);
    let t_7 = input[2] + input[3];
    let flux_yz = input[2] * input[3];
    let t_10 = V::constant(0.5).mul_add(t_4, flux_yz);
    let t_18 = V::constant(3.0).mul_add(t_10, t_7);
    let h_15_eq_part_1 = V::constant(-0.027777777777777776) * t_2;
    let h_15_eq = V::constant(0.05555555555555555).mul_add(t_18, h_15_eq_part_1);
    let t_17 = V::constant(-3.0).mul_add(t_10, t_7);
    let h_16_eq_part_1 = V::constant(-0.027777777777777776) * t_2;
    let h_16_eq = V::constant(-0.05555555555555555).mul_add(t_17, h_16_eq_part_1);
    let t_8 = input[2] - input[3];
    let t_9 = V::constant(-0.5).mul_add(t_4, flux_yz);
    let t_19 = V::constant(-3.0).mul_add(t_9, t_8);
    let h_17_eq_part_1 = V::constant(-0.027777777777777776) * t_2;
    let h_17_eq = V::constant(0.05555555555555555).mul_add(t_19, h_17_eq_part_1);
    let t_20 = V::constant(3.0).mul_add(t_9, t_8);
    let h_18_eq_part_1 = V::constant(-0.027777777777777776) * t_2;
    let h_18_eq = V::constant(-0.05555555555555555).mul_add(t_20, h_18_eq_part_1);
    let t_11 = flux_xy + flux_xz;
    let t_26 = t_5 + t_18;
    let h_19_eq_part_1 = V::constant(0.041666666666666664) * t_11;
    let h_19_eq = V::constant(0.013888888888888888).mul_add(t_26, h_19_eq_part_1);
    let t_33 = t_6 + t_17;
    let h_20_eq_part_1 = V::constant(0.041666666666666664) * t_11;
    let h_20_eq = V::constant(-0.013888888888888888).mul_add(t_33, h_20_eq_part_1);
    let t_12 = flux_xy - flux_xz;
    let t_27 = t_5 + t_19;
    let h_21_eq_part_1 = V::constant(0.041666666666666664) * t_12;
    let h_21_eq = V::constant(0.013888888888888888).mul_add(t_27, h_21_eq_part_1);
    let t_36 = t_6 + t_20;
    let h_22_eq_part_1 = V::constant(0.041666666666666664) * t_12;
    let h_22_eq = V::constant(-0.013888888888888888).mul_add(t_36, h_22_eq_part_1);
    let t_28 = t_5 - t_20;
    let h_23_eq_part_1 = V::constant(-0.041666666666666664) * t_12;
    let h_23_eq = V::constant(0.013888888888888888).mul_add(t_28, h_23_eq_part_1);
    let t_35 = t_6 - t_19;
    let h_24_eq_part_1 = V::constant(-0.041666666666666664) * t_12;
    let h_24_eq = V::constant(-0.013888888888888888).mul_add(t_35, h_24_eq_part_1);
    let t_25 = t_5 - t_17;
    let h_25_eq_part_1 = V::constant(-0.041666666666666664) * t_11;
    let h_25_eq = V::constant(0.013888888888888888).mul_add(t_25, h_25_eq_part_1);
    let t_34 = t_6 - t_18;
    let h_26_eq_part_1 = V::constant(-0.041666666666666664) * t_11;
    let h_26_eq = V::constant(-0.013888888888888888).mul_add(t_34, h_26_eq_part_1);
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
