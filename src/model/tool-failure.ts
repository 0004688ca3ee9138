/**
 * Detects failed tool results for protocols without a single field for it. A state or flag decides if present,
 * otherwise the text of the result does.
 */
import { isRecord, parseJson } from './json.ts';
import { z } from './schema.ts';

const text = z.catch(z.nullish(z.string()), undefined);
const flag = z.catch(z.nullish(z.boolean()), undefined);
/** The fields in which servers report the outcome of a call. */
export const toolFailureFields = { state: text, status: text, is_error: flag, isError: flag, success: flag };

interface FailureSigns {
  readonly state?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly is_error?: boolean | null | undefined;
  readonly isError?: boolean | null | undefined;
  readonly success?: boolean | null | undefined;
}

const FAILED =
  /^(?:output-)?(?:error|errored|fail|failed|failure|interrupted|denied|rejected|cancelled|canceled|aborted|time(?:d[ _])?out)$/i;

/**
 * Whether a tool call has failed.
 * @param result - the text of the tool's result
 */
export function isToolFailure({ state, status, is_error, isError, success }: FailureSigns, result: string): boolean {
  const outcome = state ?? status;
  if (outcome) return FAILED.test(outcome);
  return is_error ?? isError ?? (success === undefined || success === null ? looksFailed(result) : !success);
}

/** `Error: …`, `[ERROR] …`, or an exception name of Python, Java or JavaScript at the start. */
const EXCEPTION =
  /^(?:\[ERROR\]|Traceback \(most recent call last\)|(?:[A-Za-z_$][\w$]*\.)*(?:[A-Z]\w*)?(?:Error|Exception):)/;
/**
 * A one-line failure report of a server: what failed, that it failed, and why. A longer text may be about failures, but
 * is not one, and neither is a count (`失败：0`, unless it is an HTTP status) or a setting (`超时：30秒`).
 */
const ONE_LINE =
  /^(?!超时[：:]\s*\d)(?:Failed to [^\n]{1,200}|[^\n，。,:：]{0,24}(?:失败|失敗|出错|错误|錯誤|异常|超时)[：:](?!\s*(?:[无無]|(?![45]\d\d(?!\d))\d+\s*[个個条條次项項]?)(?:[，。,;；]|$))[^\n]{1,200})$/;

const looksFailed = (result: string): boolean =>
  EXCEPTION.test(result) || ONE_LINE.test(result.trim()) || isFailureReport(result);

const REPORTS = /^\s*\{[^]*"(?:success|is_?error|error|status)"\s*:/i;
/** The fields of an object that reports a failure and nothing else. */
const REPORT_FIELDS = new Set('error message msg code detail details reason status'.split(' '));

/** Whether a result is a JSON object that reports its failure: `{"success": false}`, or nothing but an error. */
function isFailureReport(result: string): boolean {
  const report = REPORTS.test(result) ? parseJson(result) : undefined;
  if (!isRecord(report)) return false;
  const { success, is_error: isError = report['isError'], error, status } = report;
  if (typeof success === 'boolean') return !success;
  if (typeof isError === 'boolean') return isError;
  const isFailure = Boolean(error) || (typeof status === 'string' && FAILED.test(status));
  return isFailure && Object.keys(report).every((name) => REPORT_FIELDS.has(name));
}
