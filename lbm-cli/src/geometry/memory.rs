//! What a box takes by addressing before it is made, and whether that fits.

use lbm_core::Error;

/// What is known of a box before it is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Need {
    /// Nodes along x, y, z.
    pub size: [usize; 3],
    /// Fluid nodes as a share of all, about.
    pub porosity: f64,
    /// Directions of the lattice.
    pub q: usize,
    /// Copies of the populations.
    pub copies: usize,
    /// Bytes of a stored value.
    pub value_bytes: usize,
    /// Bytes a node of the box that are needed beside the populations, whatever the addressing.
    pub beside: usize,
}

/// Bytes of a tile's table entries, 27 neighbours, for each of 64 nodes, rounded up.
const TILE_TABLE: u128 = 2;

/// Bytes a node of `ConnectivityMatrix`'s table.
const ROWS: u128 = 36;

impl Need {
    /// Nodes of the box.
    #[must_use]
    pub fn nodes(&self) -> u128 {
        self.size.iter().fold(1u128, |product, &n| product.saturating_mul(n as u128))
    }

    /// About how many of them are fluid.
    #[must_use]
    pub fn fluid_nodes(&self) -> u128 {
        (self.nodes() as f64 * self.porosity) as u128
    }

    /// The least bytes that each addressing needs, what is beside the populations included: solid nodes in tiles, walls and tables of
    /// their ends come on top.
    #[must_use]
    pub fn footprints(&self) -> [(&'static str, u128); 4] {
        let (nodes, fluid) = (self.nodes(), self.fluid_nodes());
        let beside = nodes.saturating_mul(self.beside as u128);
        let node = (self.copies * self.q * self.value_bytes) as u128;
        [
            ("dense", nodes.saturating_mul(node)),
            ("tiled4", fluid.saturating_mul(node + TILE_TABLE)),
            ("connectivity-matrix", fluid.saturating_mul(node + ROWS)),
            ("fluid-index-array", fluid.saturating_mul(node + 4).saturating_add(nodes.saturating_mul(4))),
        ]
        .map(|(name, bytes)| (name, bytes.saturating_add(beside)))
    }

    /// That a box fits in so many free bytes, stored with one addressing; `addressing` is its name, and others than those of
    /// [`footprints`](Need::footprints) take as much as `dense`.
    ///
    /// # Errors
    /// [`Error::TooLarge`] with the footprint of every addressing. Nothing is allocated.
    pub fn require_stored(&self, addressing: &str, available: u64) -> Result<(), Error> {
        let footprints = self.footprints();
        let (name, bytes) =
            *footprints.iter().find(|(name, _)| *name == addressing).unwrap_or(&footprints[0]);
        self.require(bytes, &format!("with the addressing `{name}`"), footprints, available)
    }

    /// That so many bytes are free; if not, the error says what for and lists these footprints.
    pub(super) fn require(
        &self,
        bytes: u128,
        what_for: &str,
        footprints: [(&str, u128); 4],
        available: u64,
    ) -> Result<(), Error> {
        // No vector is longer than that, whatever the system says about its memory.
        if bytes <= u128::from(available.min(isize::MAX as u64)) {
            return Ok(());
        }
        let gib = |bytes: u128| bytes as f64 / (1u64 << 30) as f64;
        let [nx, ny, nz] = self.size;
        Err(Error::TooLarge {
            what: format!(
                "{nx} x {ny} x {nz} nodes, about {} of them fluid, need at least {:.2} GiB {what_for}",
                self.fluid_nodes(),
                gib(bytes)
            ),
            available: gib(available.into()),
            footprints: footprints.map(|(name, bytes)| (name.to_owned(), gib(bytes))).into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEED: Need = Need { size: [1024; 3], porosity: 0.25, q: 19, copies: 1, value_bytes: 4, beside: 1 };

    #[test]
    fn the_message_names_every_footprint_and_what_would_fit() {
        assert!(NEED.require_stored("dense", 77 << 30).is_ok());
        let message = NEED.require_stored("dense", 26 << 30).unwrap_err().to_string();
        for part in [
            "1024 x 1024 x 1024 nodes, about 268435456 of them fluid, need at least 77.00 GiB",
            "26.00 GiB are free",
            "dense 77.00 GiB, tiled4 20.50 GiB, connectivity-matrix 29.00 GiB, fluid-index-array 25.00 GiB",
            "tiled4 and fluid-index-array would fit",
        ] {
            assert!(message.contains(part), "{part} in {message}");
        }
        let message = NEED.require_stored("tiled4", 1 << 30).unwrap_err().to_string();
        assert!(message.contains("none would fit; take fewer nodes"), "{message}");
        let endless = Need { size: [usize::MAX; 3], ..NEED };
        assert!(matches!(endless.require_stored("tiled4", u64::MAX), Err(Error::TooLarge { .. })));
    }
}
