use lbm::prelude::*;

boundary! {
    pub Reads on_link {
        f[back] = f[back];
    }
}

boundary! {
    pub Nothing on_link {
        let half = f[toward] / 2;
    }
}

boundary! {
    pub All on_link replaces_known {
        f[back] = sent[toward];
    }
}

boundary! {
    pub Distance(q = 1/2) on_link {
        f[back] = sent[toward];
    }
}

fn main() {}
