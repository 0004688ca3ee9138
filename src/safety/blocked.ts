import { maskDisplayedText } from './sent-secrets.ts';

/** Something that the safety policy has blocked. */
export interface Blocked {
  /** What the URL was for: an image, audio, video, a frame, a request, or an agent of a manifest. */
  readonly sink: 'image' | 'audio' | 'video' | 'frame' | 'request' | 'agent';
  /** The URL, with apparent keys replaced by `***`; undefined for inline data. */
  readonly url?: string;
  /**
   * `host`: the host is not in `image-hosts`. `foreign-server`: a server that the page has not named; it receives no
   * data of the page. `frame`: the page's CSP allows no frames, or the document is too long. `focus`: a frame that took the keyboard
   * while the user was typing was closed. `history`: a frame that added entries to the history of the tab was closed. For media
   * the reason of refusal: `type`, `signature`, `size`, `pixels`, `scheme`, `empty`.
   */
  readonly reason: string;
  /** Set on the last report: the limit of 1,000 is reached, and nothing that is blocked later is reported. */
  readonly last?: true;
}

/** Receives a report about something blocked. */
export type ReportBlocked = (blocked: Blocked) => void;

/** Longer URLs are cut. */
const MAX_LENGTH = 2048;
/** Maximum number of reports. */
const MAX_REPORTS = 1000;

/** Passes each report on once, after the current task. Keys in its URL are masked; inline data is left out. */
export function reportOnce(report: ReportBlocked): ReportBlocked {
  const reported = new Set<string>();
  return ({ sink, url, reason }) => {
    const maskedUrl =
      url === undefined || /^(?:data|blob):/i.test(url) ? undefined : maskDisplayedText(url, MAX_LENGTH);
    const key = JSON.stringify([sink, maskedUrl, reason]);
    if (reported.has(key) || reported.size >= MAX_REPORTS) return;
    reported.add(key);
    const isLast = reported.size === MAX_REPORTS;
    queueMicrotask(() => {
      report({ sink, reason, ...(maskedUrl !== undefined && { url: maskedUrl }), ...(isLast && { last: true }) });
    });
  };
}
