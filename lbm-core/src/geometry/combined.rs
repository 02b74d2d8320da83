//! Shapes made of others. A surface of theirs is a part of one of the others', and bears its name.

use super::mesh::MOST_NAMES;
use super::raster::Raster;
use super::shape::{Bounds, Hit, Shape, bisected};

/// How far apart, as shares of a segment, two places on it are the same.
const NEAR: f64 = 1e-6;

/// How many patches of several shapes have names. Those of a shape are numbered behind those of the shapes before it.
fn named_patches<'a>(shapes: impl Iterator<Item = &'a dyn Shape>) -> usize {
    shapes.map(Shape::named_patches).sum::<usize>().min(MOST_NAMES)
}

/// The name that a number among the patches of several shapes stands for.
fn patch_name<'a>(shapes: impl Iterator<Item = &'a dyn Shape>, patch: u16) -> Option<&'a str> {
    let mut number = usize::from(patch);
    for shape in shapes {
        let own = shape.named_patches();
        if number < own {
            return shape.patch_name(u16::try_from(number).ok()?);
        }
        number -= own;
    }
    None
}

/// Where this one of several shapes is met, its patch numbered among those of all.
fn renumbered(hit: Hit, shapes: &[&dyn Shape], met: usize) -> Hit {
    let of = |shapes: &[&dyn Shape]| named_patches(shapes.iter().copied());
    let (own, before, all) = (usize::from(hit.patch), of(&shapes[..met]), of(shapes));
    let number = if own < shapes[met].named_patches() { before + own } else { all };
    Hit { patch: u16::try_from(number.min(all)).unwrap_or(u16::MAX), ..hit }
}

/// Where what several shapes are together is met, with the patch of the one whose surface is there; `meets` says where that of one is.
fn of_its_shape(hit: Hit, shapes: &[&dyn Shape], meets: impl Fn(usize) -> Option<Hit>) -> Hit {
    let all = named_patches(shapes.iter().copied());
    let there = |shape: usize| meets(shape).filter(|met| (met.at - hit.at).abs() < NEAR);
    // Where nothing has a name nobody is asked.
    let found = (0..shapes.len()).filter(|_| all > 0).find_map(|shape| Some((shape, there(shape)?.patch)));
    match found {
        Some((shape, patch)) => renumbered(Hit { patch, ..hit }, shapes, shape),
        None => Hit { patch: u16::try_from(all).unwrap_or(u16::MAX), ..hit },
    }
}

/// What belongs to any of its shapes: see [`Shape::or`]. Thousands of small shapes are painted one after the other, each
/// within its bounds.
#[derive(Clone, Debug)]
pub struct Union<S = Box<dyn Shape>>(pub Vec<S>);

impl<S: Shape> Union<S> {
    fn shapes(&self) -> impl Iterator<Item = &dyn Shape> {
        self.0.iter().map(|shape| shape as &dyn Shape)
    }
}

impl<S: Shape> Shape for Union<S> {
    fn contains(&self, point: [f64; 3]) -> bool {
        self.0.iter().any(|shape| shape.contains(point))
    }

    fn bounds(&self) -> Bounds {
        self.0.iter().fold(Bounds::NOWHERE, |bounds, shape| bounds.union(shape.bounds()))
    }

    fn paint(&self, raster: &mut Raster<'_>) {
        for shape in &self.0 {
            shape.paint(raster);
        }
    }

    fn hit(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        let hits = self.0.iter().enumerate().filter_map(|(met, shape)| Some((met, shape.hit(from, to)?)));
        let (met, hit) = hits.min_by(|(_, a), (_, b)| a.at.total_cmp(&b.at))?;
        Some(renumbered(hit, &self.shapes().collect::<Vec<_>>(), met))
    }

    fn left(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        let hit = bisected(|point| !self.contains(point), from, to)?;
        Some(of_its_shape(hit, &self.shapes().collect::<Vec<_>>(), |shape| self.0[shape].left(from, to)))
    }

    fn named_patches(&self) -> usize {
        named_patches(self.shapes())
    }

    fn patch_name(&self, patch: u16) -> Option<&str> {
        patch_name(self.shapes(), patch)
    }
}

/// What belongs to both shapes: see [`Shape::and`].
#[derive(Clone, Copy, Debug)]
pub struct Intersection<A, B>(pub A, pub B);

impl<A: Shape, B: Shape> Intersection<A, B> {
    fn shapes(&self) -> [&dyn Shape; 2] {
        [&self.0, &self.1]
    }
}

impl<A: Shape, B: Shape> Shape for Intersection<A, B> {
    fn contains(&self, point: [f64; 3]) -> bool {
        self.0.contains(point) && self.1.contains(point)
    }

    fn bounds(&self) -> Bounds {
        self.0.bounds().intersection(self.1.bounds())
    }

    fn paint(&self, raster: &mut Raster<'_>) {
        raster.fill_combined(&self.bounds(), [&self.0, &self.1], |[a, b]| a && b);
    }

    fn hit(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        let (hit, shapes) = (bisected(|point| self.contains(point), from, to)?, self.shapes());
        Some(of_its_shape(hit, &shapes, |shape| shapes[shape].hit(from, to)))
    }

    fn left(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        let (hit, shapes) = (bisected(|point| !self.contains(point), from, to)?, self.shapes());
        Some(of_its_shape(hit, &shapes, |shape| shapes[shape].left(from, to)))
    }

    fn named_patches(&self) -> usize {
        named_patches(self.shapes().into_iter())
    }

    fn patch_name(&self, patch: u16) -> Option<&str> {
        patch_name(self.shapes().into_iter(), patch)
    }
}

/// What belongs to the first shape and not to the second: see [`Shape::minus`].
#[derive(Clone, Copy, Debug)]
pub struct Difference<A, B>(pub A, pub B);

impl<A: Shape, B: Shape> Difference<A, B> {
    fn shapes(&self) -> [&dyn Shape; 2] {
        [&self.0, &self.1]
    }
}

impl<A: Shape, B: Shape> Shape for Difference<A, B> {
    fn contains(&self, point: [f64; 3]) -> bool {
        self.0.contains(point) && !self.1.contains(point)
    }

    fn bounds(&self) -> Bounds {
        self.0.bounds()
    }

    fn paint(&self, raster: &mut Raster<'_>) {
        raster.fill_combined(&self.bounds(), [&self.0, &self.1], |[a, b]| a && !b);
    }

    fn hit(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        let hit = bisected(|point| self.contains(point), from, to)?;
        let meets = |shape| if shape == 0 { self.0.hit(from, to) } else { self.1.left(from, to) };
        Some(of_its_shape(hit, &self.shapes(), meets))
    }

    fn left(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        let hit = bisected(|point| !self.contains(point), from, to)?;
        let meets = |shape| if shape == 0 { self.0.left(from, to) } else { self.1.hit(from, to) };
        Some(of_its_shape(hit, &self.shapes(), meets))
    }

    fn named_patches(&self) -> usize {
        named_patches(self.shapes().into_iter())
    }

    fn patch_name(&self, patch: u16) -> Option<&str> {
        patch_name(self.shapes().into_iter(), patch)
    }
}

/// What does not belong to a shape: see [`Shape::complement`].
#[derive(Clone, Copy, Debug)]
pub struct Complement<S>(pub S);

impl<S: Shape> Shape for Complement<S> {
    fn contains(&self, point: [f64; 3]) -> bool {
        !self.0.contains(point)
    }

    fn paint(&self, raster: &mut Raster<'_>) {
        raster.fill_combined(&Bounds::EVERYWHERE, [&self.0], |[inside]| !inside);
    }

    fn hit(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        self.0.left(from, to)
    }

    fn left(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        self.0.hit(from, to)
    }

    fn named_patches(&self) -> usize {
        self.0.named_patches()
    }

    fn patch_name(&self, patch: u16) -> Option<&str> {
        self.0.patch_name(patch)
    }
}
