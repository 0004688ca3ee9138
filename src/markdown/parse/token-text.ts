/** Extracts text from tokens: as displayed, and without markup. */
import type { Token, Tokens } from 'marked';
import { decodeEntities } from '../../safety/entities.ts';
import { readHtmlPieces, type HtmlPiece, type Tag } from '../../safety/read-html.ts';
import { UNREADABLE_CONTENT, markOfElement } from '../../safety/displayed-text.ts';
import { stripCitationPlaceholders } from './citation-placeholders.ts';

/** Returns the displayed text of a token. */
export function displayedText(token: Token): string {
  if (token.type === 'html') return textOfTags(stripCitationPlaceholders(token.raw));
  if (token.type === 'br') return '\n';
  if (token.type === 'image') return UNREADABLE_CONTENT;
  // marked's generic token type leaves all fields untyped.
  const { tokens, text = '' } = token as Partial<Tokens.Text>;
  if (tokens) return markOfElement(token.type) + tokens.map(displayedText).join('');
  if (token.type === 'math') return text.length === 1 ? text : UNREADABLE_CONTENT;
  return token.type === 'codespan' ? markOfElement('code') + stripCitationPlaceholders(text) : toPlainText(text);
}

/** Returns the alternative text of an image: its description without markup. Source: CommonMark, "Images". */
export function imageAltText(token: Token): string {
  if (token.type === 'html') return '';
  if (token.type === 'br') return ' ';
  const { tokens, text = '' } = token as Partial<Tokens.Text>;
  if (tokens) return tokens.map(imageAltText).join('');
  return token.type === 'codespan' ? stripCitationPlaceholders(text) : toPlainText(text);
}

const textOfTags = (html: string): string => [...readHtmlPieces(html)].map(displayedPiece).join('');

/** Returns the displayed text of a tag, or of the text between two tags. */
export const displayedPiece = (piece: HtmlPiece): string =>
  decodeEntities('text' in piece ? piece.text : displayedTagText(piece.tag));

/** Decodes a text for a position that cannot show citations. */
export const toPlainText = (text: string): string => decodeEntities(stripCitationPlaceholders(text));

/** Returns the text that a tag adds to the displayed text, with a mark where its content is shown in another order. */
export function displayedTagText({ name, closing, attributes }: Tag): string {
  if (name === 'br') return '\n';
  if (name === 'img') return UNREADABLE_CONTENT;
  return closing ? '' : markOfElement(name, attributes['dir']);
}
