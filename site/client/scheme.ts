/** Applies the colour scheme that the user has selected, before the first render. Default: the system's. */
const chosen = localStorage.getItem('scheme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['scheme'] = chosen;
