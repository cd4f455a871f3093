// Chooses light or dark before anything is drawn: the reader's choice, otherwise that of the system.
const chosen = localStorage.getItem('cairn-scheme');
const ofSystem = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
document.documentElement.dataset['scheme'] = chosen === 'light' || chosen === 'dark' ? chosen : ofSystem;

export {};
