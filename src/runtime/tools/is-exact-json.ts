import { colonsIn } from '../../model/canonical-arguments.ts';

const STRING_OR_NUMBER = /"(?:\\[\s\S]|[^"\\])*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

/** Whether parsing changes no value: no number is rounded, and no name occurs twice in an object. Other text counts as exact. */
export function isExactJson(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    if (colonsIn(JSON.stringify(parsed)) !== colonsIn(text)) return false;
  } catch {
    return true;
  }
  return (text.match(STRING_OR_NUMBER) ?? []).every((part) => part.startsWith('"') || isExactNumber(part));
}

/** Whether a number has the digits that it is shown with, apart from zeros at the start and the end. */
function isExactNumber(text: string): boolean {
  const digitsOf = (number: string): string => number.replace(/e.*/i, '').replace(/[-.]/g, '').replace(/^0+/, '');
  const value = Number(text);
  const [shown, read] = [digitsOf(text), digitsOf(String(value))];
  const length = Math.max(shown.length, read.length);
  return Number.isFinite(value) && shown.padEnd(length, '0') === read.padEnd(length, '0');
}
