/**
 * Mermaid itself as a text: a frame that may load nothing is given what runs in it. In a module, because a page's policy lets
 * scripts be loaded from where this one came from, and may let nothing be fetched from there.
 */
export { default as mermaidCode } from 'mermaid/dist/mermaid.min.js?raw';
