/** The Chromium that the tests run in: found, installed where that can be done, or named. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Without these a headless browser looks for hosts that a test has no business with. */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The path of a Chromium.
 *
 * @throws Error that says what to install, where none is found and none can be installed.
 */
export function findBrowser(): string {
  const found = search();
  if (found !== undefined) return found;
  if (canInstall()) {
    console.log('No Chromium is installed. Installing Debian’s package "chromium" …');
    const quiet = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
    spawnSync('apt-get', ['update', '-qq'], quiet);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet);
    const installed = search();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    'The tests need Chromium or Chrome and found none.\n' +
      'Install it (Debian, Ubuntu: "sudo apt-get install chromium"; macOS: "brew install --cask google-chrome"),\n' +
      'or name one you have: CHROMIUM=/path/to/chrome npm test',
  );
}

function search(): string | undefined {
  const named = process.env['CHROMIUM'] ?? process.env['CHROME_PATH'];
  if (named !== undefined && existsSync(named)) return named;
  for (const name of NAMES) {
    const [command, ...rest] = process.platform === 'win32' ? ['where', name] : ['which', name];
    const { status, stdout } = spawnSync(command, rest, { encoding: 'utf8' });
    const [path = ''] = stdout.split('\n');
    if (status === 0 && path.trim() !== '') return path.trim();
  }
  return PLACES.find((path) => existsSync(path));
}

function canInstall(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('apt-get', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
