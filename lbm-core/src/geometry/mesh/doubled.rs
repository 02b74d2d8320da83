//! Triangles with the corners of another one.

use super::Soup;

/// Leaves out triangles with the corners of another one; returns how many. Of those with the same corners as many are left as the winding number has
/// of them, but one at most: those that face opposite sides cancel, and of those that face the same side one is the surface of a solid that counts once.
pub(super) fn leave_out(soup: &mut Soup, patches: &mut Vec<u16>) -> usize {
    let mut order: Vec<([u32; 3], usize)> = soup.triangles.iter().copied().map(sorted).zip(0..).collect();
    order.sort_unstable();
    let mut kept = vec![true; order.len()];
    for same in order.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
        let all = || same.iter().map(|&(_, triangle)| triangle);
        let rises = |triangle: &usize| is_rising(soup.triangles[*triangle]);
        let rising = all().filter(rises).count();
        let falling = same.len() - rising;
        all().for_each(|triangle| kept[triangle] = false);
        if rising != falling
            && let Some(first) = all().find(|triangle| rises(triangle) == (rising > falling))
        {
            kept[first] = true;
        }
    }
    let mut of_triangles = kept.iter();
    soup.triangles.retain(|_| of_triangles.next() == Some(&true));
    let mut of_patches = kept.iter();
    patches.retain(|_| of_patches.next() == Some(&true));
    kept.len() - soup.triangles.len()
}

fn sorted(mut triangle: [u32; 3]) -> [u32; 3] {
    triangle.sort_unstable();
    triangle
}

/// Whether a triangle's corners run from each number to the next higher one. With a corner twice it has no side, and this depends on the numbers only.
fn is_rising([a, b, c]: [u32; 3]) -> bool {
    !((a < b) ^ (b < c) ^ (c < a))
}
