/** Before anything is drawn: the colours that the reader has chosen here. Without a choice they are the system's. */
const chosen = localStorage.getItem('scheme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['scheme'] = chosen;
