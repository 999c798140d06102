import { pathToFileURL } from 'node:url';
import { testFiles } from './settings.mts';

// run.mts starts this once for each folder: the files of one folder share an n8n, so they share a process.
for (const file of testFiles) await import(pathToFileURL(file).href);
