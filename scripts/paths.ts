import path from 'node:path';

export const repository = path.resolve(__dirname, '..');
export const hostsFolder = path.join(repository, 'scripts', 'n8n', 'hosts');
export const examplesFolder = path.join(repository, 'examples');
export const cacheFolder = path.join(repository, '.cache');
