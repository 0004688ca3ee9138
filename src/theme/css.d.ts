/** The content of a file. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** The content of a stylesheet, minified by the build. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}
