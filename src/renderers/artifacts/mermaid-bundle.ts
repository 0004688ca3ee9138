/**
 * The source code of Mermaid as a string, for a frame that may load nothing. It is in a module because the page's
 * policy allows scripts from this origin, but may allow no `fetch` from it.
 */
export { default as mermaidCode } from 'mermaid/dist/mermaid.min.js?raw';
