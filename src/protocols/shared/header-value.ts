/**
 * Encodes text as an HTTP header value: the bytes of its UTF-8, without control characters, as browsers send
 * `Last-Event-ID`.
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html;
 * https://fetch.spec.whatwg.org/#concept-header-value
 */
export const headerValue = (text: string): string =>
  [...new TextEncoder().encode(text.replace(/\p{Cc}/gu, ''))].map((byte) => String.fromCharCode(byte)).join('');
