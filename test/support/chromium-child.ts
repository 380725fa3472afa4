import chromium from '@sparticuz/chromium';

/* Unpacks Chromium into the folder of temporary files. A process of its own, because the package changes its environment. */
await chromium.executablePath();
