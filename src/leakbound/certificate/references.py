"""The literature that theorems cite, by key."""

from __future__ import annotations

from leakbound.errors import InvalidInput, shown

REFERENCES = {
    "asoodeh2020": "Asoodeh, Liao, Calmon, Kosut and Sankar (2020). A better bound gives a hundred rounds: enhanced"
    " privacy guarantees via f-divergences. ISIT 2020.",
    "balle2018": "Balle, Barthe and Gaboardi (2018). Privacy amplification by subsampling: tight analyses via couplings"
    " and divergences. NeurIPS 2018.",
    "balle2018gaussian": "Balle and Wang (2018). Improving the Gaussian mechanism for differential privacy. ICML 2018.",
    "bun2016": "Bun and Steinke (2016). Concentrated differential privacy: simplifications, extensions, and lower"
    " bounds. TCC 2016.",
    "clopper1934": "Clopper and Pearson (1934). The use of confidence or fiducial limits illustrated in the case of the"
    " binomial. Biometrika 26.",
    "domingo2022": "Domingo-Enrich and Mroueh (2022). Auditing differential privacy in high dimensions with the kernel"
    " quantum Renyi divergence.",
    "dong2022": "Dong, Roth and Su (2022). Gaussian differential privacy. J. R. Statist. Soc. B 84.",
    "doroshenko2022": "Doroshenko, Ghazi, Kamath, Kumar and Manurangsi (2022). Connect the dots: tighter discrete"
    " approximations of privacy loss distributions. PoPETs 2022.",
    "dwork2006": "Dwork, McSherry, Nissim and Smith (2006). Calibrating noise to sensitivity in private data analysis."
    " TCC 2006.",
    "dwork2015": "Dwork, Feldman, Hardt, Pitassi, Reingold and Roth (2015). Generalization in adaptive data analysis"
    " and holdout reuse. NeurIPS 2015.",
    "kairouz2017": "Kairouz, Oh and Viswanath (2017). The composition theorem for differential privacy. IEEE Trans."
    " Inf. Theory 63.",
    "karlin1968": "Karlin (1968). Total positivity. Stanford University Press.",
    "mironov2017": "Mironov (2017). Renyi differential privacy. CSF 2017.",
    "pierquin2025": "Pierquin, Bellet, Tommasi and Boussard (2025). Privacy amplification through synthetic data:"
    " insights from linear regression. ICML 2025.",
    "wasserman2010": "Wasserman and Zhou (2010). A statistical framework for differential privacy. J. Am. Statist."
    " Assoc. 105.",
}


def citation(key: str) -> str:
    """Return the full reference of a key.

    >>> citation("mironov2017")
    'Mironov (2017). Renyi differential privacy. CSF 2017.'
    """
    if key not in REFERENCES:
        raise InvalidInput(f"No reference has the key {shown(key)}; add it to the table of references.")
    return REFERENCES[key]
