//! Listed nodes that are drawn and erased: they stay where they are stored, and what is declared drawable is stored from the start.

use lbm::core::addressing::Drawable;
use lbm::core::cut::Decomposition;
use lbm::core::engine::Changed;
use lbm::core::geometry::{Cuboid, Shape};
use lbm::core::laws::{SplitMix64, random_setup};
use lbm::core::{Domain, Engine};
use lbm::cpu::CpuOptions;
use lbm::simulation::Backend;

use super::{DENSE, LISTED, Narrow, channel, product};

/// What is solid at first can be erased where nodes are listed if that was declared, whatever a scheme stores beside it; else all is refused and nothing changed,
/// of a box in parts too.
#[test]
fn listed_nodes_can_be_erased_where_that_was_declared() {
    let block = Cuboid { low: [10.0, 6.0, 0.0], high: [17.0, 15.0, 1.0] };
    let gate = Cuboid { low: [10.0, 8.0, 0.0], high: [17.0, 11.0, 1.0] };
    let wider = Cuboid { low: [16.0, 8.0, 0.0], high: [17.0, 12.0, 1.0] };
    let open = |backend: Backend, scheme: &str, parts: usize| {
        let is_solid = move |[x, y, _]: [usize; 3]| block.contains([x as f64 + 0.5, y as f64 + 0.5, 0.5]);
        let flow = channel(backend).scheme(scheme).solid(is_solid).drawable(gate);
        let cut = Decomposition::At([vec![13; parts - 1], vec![], vec![]]);
        let mut flow = flow.decomposition(cut).build().unwrap();
        flow.run(5).unwrap();
        let opened = flow.set_fluid(&gate).unwrap();
        assert_eq!(opened.nodes.len(), 21);
        flow.run(4).unwrap();
        if !scheme.contains("dense") {
            let before = (flow.populations().unwrap(), flow.domain().clone());
            let error = flow.set_fluid(&wider).unwrap_err().to_string();
            assert!(error.contains("[16, 11, 0]") && error.contains("drawable"), "{error}");
            assert!(before == (flow.populations().unwrap(), flow.domain().clone()), "{scheme}");
        }
        flow.undo(&opened).unwrap();
        let drawn = flow.set_solid(&Cuboid { low: [4.0, 2.0, 0.0], high: [12.0, 9.0, 1.0] }).unwrap();
        flow.run(3).unwrap();
        flow.set_fluid(&gate).unwrap();
        flow.undo(&drawn).unwrap();
        flow.run(6).unwrap();
        flow.populations().unwrap()
    };
    let expected = open(Backend::Cpu, DENSE[0], 1);
    for scheme in LISTED {
        for parts in [1, 2] {
            assert!(open(Backend::Cpu, scheme, parts) == expected, "{scheme}");
        }
    }
    #[cfg(feature = "cuda")]
    if lbm::cuda::testing::cxx_or_skip("gates in listed nodes").is_some() {
        for (scheme, parts) in [(LISTED[0], 2), (LISTED[1], 1)] {
            assert!(open(Backend::CudaOnHost, scheme, parts) == expected, "{scheme}");
        }
    }
}

/// Listed anew, fewer nodes would be stored.
#[test]
fn listed_nodes_stay_where_they_are_stored() {
    for scheme in LISTED {
        let product = product::<Narrow>(scheme);
        let (size, q) = ([48, 40, 1], product.facts().lattice.q());
        let mut setup = random_setup(product.facts(), size, &mut SplitMix64::new(1));
        *setup.domain_mut() = Domain::periodic(size);
        let mut engine = product.on_cpu(&setup, &CpuOptions::default().with_threads(1)).unwrap();
        let bytes = engine.allocated_bytes();
        let within = |node: &usize| (node % 48).abs_diff(20).pow(2) + (node / 48).abs_diff(20).pow(2) < 100;
        let disc: Vec<usize> = (0..48 * 40).filter(within).collect();
        for solid in [Some(0), None, Some(0)] {
            setup.domain_mut().redraw(&disc, &vec![solid; disc.len()]).unwrap();
            let begin = vec![1e-3; q * disc.len()];
            engine.set_geometry(&setup, Changed::new(&disc, &begin)).unwrap();
            assert!(engine.allocated_bytes() >= bytes, "{scheme}");
            engine.run(3).unwrap();
            let some: Vec<usize> = (0..48 * 40).step_by(7).collect();
            let (mut all, mut few) = (vec![0.0; q * 48 * 40], vec![0.0; q * some.len()]);
            engine.populations(&mut all).unwrap();
            engine.populations_at(&some, &mut few).unwrap();
            let same = all.chunks(48 * 40).zip(few.chunks(some.len()));
            let same = same.map(|(all, few)| some.iter().map(|&node| all[node]).eq(few.iter().copied()));
            assert!(same.into_iter().all(|same| same), "{scheme}");
        }
    }
}

/// Strokes without end take no more numbers of links than a few.
#[test]
fn numbers_of_links_are_taken_again() {
    for scheme in LISTED {
        let facts = *product::<Narrow>(scheme).facts();
        let mut setup = random_setup(&facts, [48, 40, 1], &mut SplitMix64::new(1));
        *setup.domain_mut() = Domain::periodic([48, 40, 1]);
        let (mut listed, mut drawable) = (Drawable::open(&facts, &setup).unwrap(), Drawable::default());
        let mut most = Vec::new();
        for _ in 0..20 {
            for (x, solid) in
                [(20, Some(0)), (24, Some(0)), (22, None), (30, Some(0)), (20, None), (30, None)]
            {
                let within =
                    |node: &usize| (node % 48).abs_diff(x).pow(2) + (node / 48).abs_diff(20).pow(2) < 100;
                let disc: Vec<usize> = (0..48 * 40).filter(within).collect();
                assert_eq!(drawable.lacks(&listed.listing.positions.clone(), setup.domain(), &disc), None);
                setup.domain_mut().redraw(&disc, &vec![solid; disc.len()]).unwrap();
                let near = drawable.near(&facts.lattice, setup.domain(), &disc);
                drawable.renew(&mut listed, &facts, setup.domain(), &near).unwrap();
            }
            most.push(listed.wall_links);
        }
        assert_eq!(most[1], most[19], "{scheme}");
        assert_eq!(most[1] > 0, facts.keeps_sent, "{scheme}");
    }
}
