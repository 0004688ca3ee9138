/** A style sheet's text, as the build minifies it. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}
