import { command } from './command.mts';

process.exitCode = await command(process.argv.slice(2), process.cwd());
