/** A file's text. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** A style sheet's text, as the build minifies it. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}
