/**
 * Makes the addresses of a specification's example absolute, in its Markdown and in its HTML: relative addresses are not
 * allowed in a reply.
 */
export const withAbsoluteAddresses = (text: string): string =>
  text.replace(/(?<![\w:/.]|(?<!\()<)\/(?=[a-zφ%])/g, 'https://e.co/');
