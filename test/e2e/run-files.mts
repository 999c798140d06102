import { pathToFileURL } from 'node:url';
import { testFiles } from './settings.mts';

// run.mts starts this file once per folder, because the files of a folder share one n8n.
for (const file of testFiles) await import(pathToFileURL(file).href);
