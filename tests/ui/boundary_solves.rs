use lbm::prelude::*;

boundary! {
    pub Squared on_node {
        let rho = solve(1, |x| x * x - sum(known.map(|i| f[i])));
        for i in missing {
            f[i] = rho * w[i];
        }
    }
}

boundary! {
    pub Free on_node {
        let x = solve([0, 0], |x| [x[0] + x[1], x[0] + x[1] - f[0]]);
        for i in missing {
            f[i] = x[0];
        }
    }
}

fn main() {}
