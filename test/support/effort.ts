/**
 * How much a test tries: random inputs of a property, or chunks of a hostile text. Engines differ in the first few
 * inputs,
 * so only Chromium does the long search. The others do one in `share` of it: one in ten, unless a limit only holds for
 * longer texts.
 */
export const effort = (count: number, share = 10): number => (isChromium ? count : Math.ceil(count / share));

/** Whether this engine does the long search. Counted values, unlike measured ones, are the same in the others. */
export const isChromium = navigator.userAgent.includes('Chrome/');
