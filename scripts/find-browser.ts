/** Finds the browsers for the tests, installs them if possible, or says what to install. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export type Engine = 'chromium' | 'firefox' | 'webkit';

interface Known {
  /** Environment variable with the path of the executable. */
  readonly variable: string;
  readonly names: readonly string[];
  readonly places: readonly string[];
  /** Debian packages. */
  readonly packages: readonly string[];
  readonly elsewhere: string;
}

const known: Readonly<Record<Engine, Known>> = {
  chromium: {
    variable: 'CHROMIUM',
    names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'],
    places: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
    ],
    packages: ['chromium'],
    elsewhere: 'macOS: "brew install --cask google-chrome"',
  },
  firefox: {
    variable: 'FIREFOX',
    names: ['firefox-esr', 'firefox'],
    places: ['/Applications/Firefox.app/Contents/MacOS/firefox', 'C:\\Program Files\\Mozilla Firefox\\firefox.exe'],
    packages: ['firefox-esr'],
    elsewhere: 'macOS: "brew install --cask firefox"',
  },
  // WebKitGTK's driver starts the browser itself, on a virtual screen.
  webkit: {
    variable: 'WEBKIT_DRIVER',
    names: ['WebKitWebDriver'],
    places: [],
    packages: ['webkit2gtk-driver', 'xvfb'],
    elsewhere: 'elsewhere it cannot be run by these tests',
  },
};

/** Each new window would load two pages of the address bar's list, which takes as long as a test page. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** A browser uses only the last such list, so ours includes the features that Playwright 1.64 turns off. */
const byPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'BlockOriginHeaderModificationOnRedirect',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'Translate',
  'AutoDeElevate',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
];

/** Turns off background requests and updates of a headless browser. */
export const browserArguments = [
  `--disable-features=${[...addressBar, ...byPlaywright].join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The engines in `BROWSERS=chromium,firefox`; Chromium without it. */
export function wantedEngines(): readonly Engine[] {
  const names = (process.env['BROWSERS'] ?? 'chromium').split(/[\s,]+/).filter((name) => name !== '');
  return names.map((name) => {
    if (!isEngine(name)) throw new Error(`BROWSERS names "${name}". Known are ${Object.keys(known).join(', ')}.`);
    return name;
  });
}

/**
 * Returns the path of a browser, or of the driver that starts it.
 *
 * @throws Error with the command to install it, if none is found and none can be installed
 */
export function findBrowser(engine: Engine = 'chromium'): string {
  const { packages, variable, elsewhere } = known[engine];
  const found = search(engine);
  if (found !== undefined) return found;
  const names = packages.join(' ');
  if (canInstall()) {
    install(packages);
    const installed = search(engine);
    if (installed !== undefined) return installed;
  }
  throw new Error(
    `The tests need ${engine} and found none.\n` +
      `Install it (Debian, Ubuntu: "sudo apt-get install ${names}"; ${elsewhere}),\n` +
      `or name one you have: ${variable}=/path/to/it npm test`,
  );
}

/**
 * Returns the path of the Chromium for the tests: without the parts of a browser that no test sees (tabs, settings, services)
 * they take a fifth less time. Debian has it as a package; elsewhere, and if `CHROMIUM` is set, it is the one of `findBrowser()`.
 */
export function findTestBrowser(): string {
  // Decided once for all test files, which are processes of their own: an installation that fails would be tried in each.
  return (process.env['TEST_BROWSER'] ??= chooseTestBrowser());
}

function chooseTestBrowser(): string {
  if (named('chromium') !== undefined) return findBrowser();
  const shell = which(SHELL) ?? (canInstall() && install([SHELL]) ? which(SHELL) : undefined);
  return shell ?? findBrowser();
}

/** Debian's name of the package and of the command. */
const SHELL = 'chromium-headless-shell';

/** Whether the tests can run in an engine. If not, it prints the reason, and only that engine is left out. */
export function canRun(engine: Engine): boolean {
  try {
    findBrowser(engine);
    return true;
  } catch (error) {
    const [firstLine = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    console.log(
      `${firstLine} What is tested in ${engine} is left out; "${known[engine].packages.join(' ')}" brings it.`,
    );
    return false;
  }
}

/** Installs packages of Debian. False if that fails. */
function install(packages: readonly string[]): boolean {
  console.log(`Installing Debian’s ${packages.join(' ')} for the tests …`);
  const quiet = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  spawnSync('apt-get', ['update', '-qq'], quiet);
  return spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], quiet).status === 0;
}

function search(engine: Engine): string | undefined {
  const { names, places } = known[engine];
  const path = named(engine);
  if (path !== undefined) return path;
  for (const name of names) {
    const found = which(name);
    if (found !== undefined) return found;
  }
  return places.find((place) => existsSync(place));
}

/** The browser that an environment variable names. */
function named(engine: Engine): string | undefined {
  const path = process.env[known[engine].variable] ?? (engine === 'chromium' ? process.env['CHROME_PATH'] : undefined);
  return path !== undefined && existsSync(path) ? path : undefined;
}

function which(name: string): string | undefined {
  const [command, ...rest] = process.platform === 'win32' ? ['where', name] : ['which', name];
  const { status, stdout } = spawnSync(command, rest, { encoding: 'utf8' });
  const [path = ''] = stdout.split('\n');
  return status === 0 && path.trim() !== '' ? path.trim() : undefined;
}

const isEngine = (name: string): name is Engine => Object.hasOwn(known, name);

function canInstall(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('apt-get', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
