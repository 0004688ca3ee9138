/** The part of streaming-markdown that the bench uses. */
export interface Parser {
  readonly renderer: unknown;
}
export function default_renderer(root: HTMLElement): unknown;
export function parser(renderer: unknown): Parser;
export function parser_write(parser: Parser, chunk: string): void;
export function parser_end(parser: Parser): void;
