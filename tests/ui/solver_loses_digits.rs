//! A warning, at the term in which digits are lost; here all warnings are errors.
#![deny(warnings)]

use lbm::prelude::*;

collision! {
    pub Wasteful {
        let whole = 1000 + select(f[1] < 1, f[1], 0);
        let part = abs(whole) - 1000;
        for i in directions {
            f[i] = f[i] + part - f[1];
        }
    }
}

solver! { Loses { lattice: D2Q9, collision: Wasteful } }

solver! {
    #[allow(deprecated)]
    Known { lattice: D2Q9, collision: Wasteful }
}

solver! { Keeps { lattice: D2Q9, collision: Bgk } }

fn main() {}
