import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/**
 * Turns off features of Chromium's own window, for which it would start another process, as busy as a page, beside each
 * page.
 */
const ownWindow = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];

const args = [
  '--no-sandbox',
  `--disable-features=${ownWindow.join()}`,
  // Machines that run tests have no graphics processor, and to imitate one in a process of its own takes longer.
  '--disable-gpu',
  '--in-process-gpu',
];

/** Starts the Chromium in a file. */
export function startChromium(executablePath: string): Promise<Browser> {
  // A packaged Chromium has its libraries and fonts beside it.
  const folder = dirname(executablePath);
  const fonts = existsSync(join(folder, 'fonts')) ? { FONTCONFIG_PATH: join(folder, 'fonts') } : {};
  const env = { ...process.env, ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023/lib') };
  return chromium.launch({ executablePath, env, args });
}
