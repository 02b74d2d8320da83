use super::order_table::{OrderTable, accesses, lower_bound, transactions};
use crate::geometry::{TileOrder, best_order};
use crate::index::Index;
use crate::layout::{Contents, InTiles, OrderRule, TileBest, TilePaper};
use crate::streaming::{Aa, EsotericPull, Streaming, TwoLatticePull};
use crate::{Expression, Lattice, Layout};

#[derive(Clone, Copy, Debug)]
struct D3Q19;

impl Lattice for D3Q19 {
    const NAME: &'static str = "D3Q19";
    const D: usize = 3;
    const Q: usize = 19;
    const VELOCITIES: &'static [[i32; 3]] = &[
        [0, 0, 0],
        [1, 0, 0],
        [-1, 0, 0],
        [0, 1, 0],
        [0, -1, 0],
        [0, 0, 1],
        [0, 0, -1],
        [1, 1, 0],
        [-1, -1, 0],
        [1, -1, 0],
        [-1, 1, 0],
        [1, 0, 1],
        [-1, 0, -1],
        [1, 0, -1],
        [-1, 0, 1],
        [0, 1, 1],
        [0, -1, -1],
        [0, 1, -1],
        [0, -1, 1],
    ];
    const WEIGHTS: &'static [f64] = &[0.0; 19];
    const OPPOSITES: &'static [usize] = &[0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17];
    const CS2: f64 = 1.0 / 3.0;
    const ISOTROPY: u32 = 4;
    const DECLARATION: &'static str = "";

    type PerDirection<T: Copy + Send + Sync> = [T; 19];

    fn filled<T: Copy + Send + Sync>(value: T) -> [T; 19] {
        [value; 19]
    }
}

/// What a layout is made for that stores tiles for a streaming pattern.
fn contents<S: Streaming>(value_bytes: usize, tiles: usize) -> Contents {
    let accesses = accesses::<S, D3Q19>();
    let plain = Contents::new(D3Q19::Q, 64 * tiles, 0);
    Contents { value_bytes, velocities: D3Q19::VELOCITIES, accesses, ..plain }
}

/// The order of a slot as a layout has it, in its second tile.
fn order_in<L: Layout>(layout: &L, slot: usize) -> [u8; 64] {
    std::array::from_fn(|node| (layout.offset(slot, 64 + node) - 64 * (D3Q19::Q + slot)) as u8)
}

fn places(order: TileOrder) -> [u8; 64] {
    order.places().unwrap()
}

fn of_paper(velocity: [i32; 3]) -> [u8; 64] {
    places(TileOrder::of_paper(velocity))
}

/// Transactions to gather all directions from upstream.
fn gathered(order: impl Fn([i32; 3]) -> [u8; 64], value_bytes: usize) -> usize {
    D3Q19::VELOCITIES.iter().map(|&c| transactions(&order(c), c.map(|n| -n), value_bytes, 32)).sum()
}

fn table<S: Streaming>(value_bytes: usize, lanes: usize) -> OrderTable {
    OrderTable::of::<S, D3Q19>(value_bytes, lanes)
}

#[test]
fn orders_are_bijections_with_the_papers_places() {
    // Eqs. 11, 12 and 13.
    let equations: [fn(u8, u8, u8) -> u8; 3] = [
        |x, y, z| x + 4 * y + 16 * z,
        |x, y, z| y + 4 * x + 16 * z,
        |x, y, z| 2 * (x + 3 * y + ((x + 1) & 4) * (3 - y)) + (z & 1) + 16 * (z & 2),
    ];
    for (order, equation) in [TileOrder::XYZ, TileOrder::YXZ, TileOrder::ZIGZAG_NE].into_iter().zip(equations)
    {
        let place = |node: u8| equation(node & 3, node >> 2 & 3, node >> 4);
        assert_eq!(places(order), std::array::from_fn(|node| place(node as u8)));
    }
    // A step to the north-east within the rows of three is 8 places on, two neighbours along z lie side by side.
    let zigzag = |x: usize, y: usize, z: usize| places(TileOrder::ZIGZAG_NE)[x + 4 * y + 16 * z];
    for (x, y, z) in (0..2).flat_map(|x| (0..3).flat_map(move |y| (0..4).map(move |z| (x, y, z)))) {
        assert_eq!(zigzag(x + 1, y + 1, z), zigzag(x, y, z) + 8);
        assert_eq!(zigzag(x, y, z | 1), zigzag(x, y, z & !1) + 1);
    }
    for wrong in [[0, 1, 2, 3, 4, 4], [0, 1, 2, 3, 4, 17]] {
        assert_eq!(TileOrder::Bits(wrong).places(), None);
    }
    assert_eq!(TileOrder::Axes([0, 0, 1]).places(), None);
    assert_eq!(places(TileOrder::Bits([0, 1, 2, 3, 4, 5])), places(TileOrder::XYZ));
    assert_eq!(places(TileOrder::Bits([2, 3, 0, 1, 4, 5])), places(TileOrder::YXZ));
}

#[test]
fn transactions_are_those_of_section_3_2() {
    // f64: 15 directions with the least 16, NE and SE 16 + 4, NW and SW 32.
    assert_eq!(gathered(of_paper, 8), 344);
    let of = |c: [i32; 3]| transactions(&of_paper(c), c.map(|n| -n), 8, 32);
    assert_eq!([of([1, 1, 0]), of([1, -1, 0]), of([-1, 1, 0]), of([-1, -1, 0])], [20, 20, 32, 32]);
    assert_eq!(19 * transactions(&places(TileOrder::XYZ), [0; 3], 8, 32), 304);
    // f32: 240 with these orders, 288 with XYZ alone, at least 152.
    assert_eq!(gathered(of_paper, 4), 240);
    assert_eq!(gathered(|_| places(TileOrder::XYZ), 4), 288);
    assert_eq!(19 * transactions(&places(TileOrder::XYZ), [0; 3], 4, 32), 152);
    // XYZ alone in f32, by direction: O, T, B 8; N, S and with T, B 12; E, W and with T, B 16; diagonals in the plane 24.
    let of = |c: [i32; 3]| transactions(&places(TileOrder::XYZ), c, 4, 32);
    assert_eq!([of([0, 0, 1]), of([0, 1, 1]), of([1, 0, 1]), of([1, 1, 0])], [8, 12, 16, 24]);
}

#[test]
fn the_search_reaches_what_is_possible() {
    for lanes in [32, 64] {
        for bytes in [8, 4, 2] {
            let table = table::<TwoLatticePull>(bytes, lanes);
            for row in &table.rows {
                assert_eq!(row.best.moved.iter().sum::<usize>(), row.bound, "{lanes} {bytes} {row:?}");
                assert!(row.formula.moved.iter().sum::<usize>() >= row.bound);
            }
            // Writes of a pull are aligned in every order that the search finds.
            assert_eq!(table.total(|row| &row.best)[1], table.least());
        }
    }
}

#[test]
fn the_tables_of_a_tile() {
    let totals = |table: &OrderTable| {
        let best = table.total(|row| &row.best);
        let formula = table.total(|row| &row.formula);
        let axes = table.total(|row| &row.axes);
        assert!(
            table.to_string().lines().count() == 22
                && table.to_string().contains("zigzag +xy, pairs") == (table.lanes == 32)
        );
        [table.total(|row| &row.paper)[0], axes[0], formula[0], best[0], table.least()]
    };
    let pull = |bytes, lanes| totals(&table::<TwoLatticePull>(bytes, lanes));
    // Paper, best permutation of the axes, best with a formula, best with tables, minimum: by warps,
    assert_eq!(pull(8, 32), [344, 368, 320, 320, 304]);
    assert_eq!(pull(4, 32), [240, 216, 200, 200, 152]);
    assert_eq!(pull(2, 32), [160, 172, 140, 140, 76]);
    // and with the tile as one group.
    assert_eq!(pull(8, 64), [344, 304, 304, 304, 304]);
    assert_eq!(pull(4, 64), [240, 200, 200, 176, 152]);
    assert_eq!(pull(2, 64), [160, 124, 124, 100, 76]);
}

#[test]
fn one_copy_pays_at_its_odd_steps_only() {
    for bytes in [8, 4, 2] {
        let (pull, aa) = (table::<TwoLatticePull>(bytes, 32), table::<Aa>(bytes, 32));
        let best = |table: &OrderTable| table.total(|row| &row.best);
        // Even steps are aligned; odd ones read, and write, as a pull reads.
        assert_eq!(best(&aa), [best(&pull)[0] + pull.least(); 2]);
    }
}

#[test]
fn layouts_have_the_orders_whose_transactions_are_counted() {
    let read = |layout: &dyn Fn(usize) -> [u8; 64], bytes: usize| gathered_by_slot(layout, bytes);
    for (bytes, papers, best) in [(8, 344, 320), (4, 240, 200)] {
        let contents = contents::<TwoLatticePull>(bytes, 3);
        let (paper, searched) = (TilePaper::new(&contents), TileBest::new(&contents));
        assert_eq!(read(&|slot| order_in(&paper, slot), bytes), papers);
        assert_eq!(read(&|slot| order_in(&searched, slot), bytes), best);
        assert_eq!((paper.values(), searched.values()), (3 * 64 * 19, 3 * 64 * 19));
        for (slot, &velocity) in D3Q19::VELOCITIES.iter().enumerate() {
            assert_eq!(order_in(&paper, slot), of_paper(velocity));
            let found = best_order(&contents.accesses[slot], bytes, 32);
            assert_eq!(order_in(&searched, slot), places(found));
        }
    }
    let (contents, aa) = (contents::<Aa>(4, 2), TileBest::new(&contents::<Aa>(4, 2)));
    for (slot, accesses) in contents.accesses.iter().enumerate() {
        assert_eq!(order_in(&aa, slot), places(best_order(accesses, 4, 32)));
    }
}

/// A rule that names an axis twice.
#[derive(Clone, Debug)]
struct Twice;

impl OrderRule for Twice {
    const NAME: &'static str = "tile-twice";

    fn order<I: Index>(_slot: usize, _contents: &Contents<I>) -> TileOrder {
        TileOrder::Axes([1, 1, 2])
    }
}

#[test]
fn what_is_no_permutation_is_not_taken() {
    let layout = InTiles::<Twice>::new(&Contents::new(D3Q19::Q, 128, 0));
    assert_eq!(order_in(&layout, 3), places(TileOrder::XYZ));
}

fn gathered_by_slot(order: &dyn Fn(usize) -> [u8; 64], value_bytes: usize) -> usize {
    let slots = D3Q19::VELOCITIES.iter().enumerate();
    slots.map(|(slot, c)| transactions(&order(slot), c.map(|n| -n), value_bytes, 32)).sum()
}

#[test]
fn formulas_are_printed() {
    let node = Expression::name("node") % 64;
    assert_eq!(TileOrder::XYZ.place(node.clone()).to_string(), "node % 64u");
    let yxz = TileOrder::Axes([1, 0, 2]).place(node);
    assert_eq!(yxz.to_string(), "node / 4u % 4u + node % 4u * 4u + node / 16u % 4u * 16u");
}

#[test]
fn a_bound_is_never_above_a_count() {
    for &c in D3Q19::VELOCITIES {
        for (bytes, lanes) in [(8, 32), (4, 32), (2, 64), (1, 64)] {
            for order in [TileOrder::XYZ, TileOrder::YXZ, TileOrder::ZIGZAG_NE] {
                assert!(lower_bound(c, bytes, lanes) <= transactions(&places(order), c, bytes, lanes));
            }
        }
    }
}

#[test]
#[ignore = "prints the tables"]
fn print_the_tables() {
    for lanes in [32, 64] {
        for bytes in [8, 4, 2] {
            println!("{}", table::<TwoLatticePull>(bytes, lanes));
            println!("{}", table::<Aa>(bytes, lanes));
            println!("{}", table::<EsotericPull>(bytes, lanes));
        }
    }
}
