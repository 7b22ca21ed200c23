import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import examples from 'libphonenumber-js/mobile/examples';
import { type CountryCode, parsePhoneNumber } from 'libphonenumber-js/max';

import { readPhone } from '../../../nodes/CustomerMessaging/fields/mobile';
import { smsParts, smsTexts } from '../../../nodes/CustomerMessaging/fields/smsParts';
import { buildTarball } from '../../../scripts/n8n/package';
import { repository } from '../../../scripts/paths';

// Builds and packs the package.
jest.setTimeout(120_000);

/** The files that libraries are built into, each with the licences of its libraries. */
const bundles = {
	'shared/exactJson': ['lossless-json/LICENSE.md'],
	'fields/smsParts': ['sms-segments-calculator/LICENSE'],
	'fields/phoneLibrary': ['libphonenumber-js/LICENSE', 'libphonenumber-js/LICENSE.Apache'],
};

const installed = path.join(repository, 'node_modules');
const modules = path.join(fs.mkdtempSync(path.join(tmpdir(), 'package-test-')), 'node_modules');
/** The unpacked package, with only the packages of n8n beside it. */
const folder = path.join(modules, 'n8n-nodes-customer-messaging');
/** By path, as text. */
let files: Map<string, string>;
let manifest: Record<string, Record<string, unknown>> & { version: string; main: string };
let code: Array<[name: string, text: string]>;

beforeAll(async () => {
	fs.mkdirSync(folder, { recursive: true });
	for (const name of ['n8n-workflow', 'zod', 'luxon'])
		fs.symlinkSync(path.join(installed, name), path.join(modules, name));
	const tarball = await buildTarball();
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
	const isFile = (name: string) => fs.statSync(path.join(folder, name)).isFile();
	const read = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');
	files = new Map(names.filter(isFile).map((name) => [name, read(name)]));
	manifest = JSON.parse(textOf('package.json')) as typeof manifest;
	code = [...files].filter(([name]) => name.endsWith('.js'));
});
afterAll(() => fs.rmSync(path.dirname(modules), { recursive: true }));

function textOf(name: string): string {
	const text = files.get(name);
	if (text === undefined) throw new Error(`The tarball does not hold ${name}`);
	return text;
}

/** What an expression finds in the files. */
function found(pattern: RegExp): string[] {
	return [...files].flatMap(([name, text]) => {
		const match = pattern.exec(text);
		return match ? [`${name}: ${match[0]}`] : [];
	});
}

/** What code returns in a Node of its own, with an empty environment, in the folder of the package. */
function inPlainNode(code: string): unknown {
	const printing = `process.stdout.write(JSON.stringify((() => {${code}})()))`;
	const options = { cwd: folder, env: {}, encoding: 'utf8', maxBuffer: 1e8 } as const;
	return JSON.parse(execFileSync(process.execPath, ['-e', printing], options));
}

describe('What the tarball holds', () => {
	const allowed = [
		/^(LICENSE|README\.md|CHANGELOG\.md|index\.js|package\.json)$/,
		/^dist\/credentials\/\w+(\.credentials)?\.js$/,
		/^dist\/nodes\/CustomerMessaging\/(\w+\/)*\w+(\.node)?\.js$/,
		/^dist\/nodes\/CustomerMessaging\/CustomerMessaging\.node\.json$/,
		/^dist\/nodes\/CustomerMessaging\/customerMessaging(\.dark)?\.svg$/,
		/^dist\/nodes\/CustomerMessaging\/__schema__\/v1\.0\.0\/\w+\/\w+\.json$/,
		/^dist\/nodes\/CustomerMessaging\/(fields\/smsParts|shared\/exactJson|fields\/phoneLibrary)\.licenses\.txt$/,
	];

	test('is the build, one file for each source file, and the files that every package needs', () => {
		const names = [...files.keys()];
		expect(names.filter((name) => !allowed.some((pattern) => pattern.test(name)))).toEqual([]);
		for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'index.js'])
			expect(names).toContain(name);
		const sources = names.flatMap((name) => /^dist\/(.*)\.js$/.exec(name)?.[1] ?? []);
		const isThere = (source: string) => fs.existsSync(path.join(repository, `${source}.ts`));
		expect(sources.filter((source) => !isThere(source))).toEqual([]);
	});

	test('takes at most 720 kB unpacked', () =>
		expect(Buffer.byteLength([...files.values()].join(''))).toBeLessThan(720_000));

	test.each(Object.entries(bundles))('has the licences of what is in %s', (file, licenses) => {
		const bundle = `dist/nodes/CustomerMessaging/${file}`;
		for (const license of licenses) {
			expect(textOf(`${bundle}.js`)).toContain(path.dirname(license));
			expect(textOf(`${bundle}.licenses.txt`)).toContain(
				fs.readFileSync(path.join(installed, license), 'utf8').trim(),
			);
		}
	});
});

describe('The packed manifest', () => {
	test('is published with provenance, has no dependencies, and runs nothing when it is installed', () => {
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
		const keys = [...Object.keys(manifest), ...Object.keys(manifest.scripts ?? {})];
		const others = /^(dependencies|(optional|bundled?)Dependencies|overrides|resolutions)$/;
		const hooks = /^((pre|post)?install|prepublish|(pre|post)?prepare)$/;
		expect(keys.filter((key) => others.test(key) || hooks.test(key))).toEqual([]);
	});

	test('names files that are there, with the icons that these name, and a version of three numbers', () => {
		const { nodes, credentials } = manifest.n8n as { nodes: string[]; credentials: string[] };
		expect(manifest.n8n).toMatchObject({ n8nNodesApiVersion: 1, strict: true });
		expect(files.has(manifest.main)).toBe(true);
		for (const file of [...nodes, ...credentials]) {
			const icons = [...textOf(file).matchAll(/\bfile:([\w./]+\.svg)/g)];
			expect(icons).toHaveLength(2);
			for (const [, icon = ''] of icons)
				expect(files.has(path.join(path.dirname(file), icon))).toBe(true);
		}
		expect(manifest.version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
		expect(manifest.keywords).toContain('n8n-community-node-package');
		// n8n loads the package by the paths above and nobody imports from it, so it contains no types.
		for (const key of ['private', 'types', 'typings', 'exports', 'bin'])
			expect(manifest).not.toHaveProperty(key);
	});
});

describe('The packed code', () => {
	test('requires n8n-workflow, and zod and luxon, which n8n brings, and no module with access to the machine', () => {
		const asked = code.flatMap(([, text]) =>
			[...text.matchAll(/\brequire\(\s*["']([^."'][^"']*)["']\s*\)/g)].map(([, what]) => what),
		);
		const brought = ['luxon', 'n8n-workflow', 'node:crypto', 'zod/v3'];
		expect([...new Set(asked)].sort()).toEqual(brought);
		const access = /\bprocess\.(env|exit|argv|binding)|\beval\(|\bnew Function\(|\bimport\(/;
		expect(found(access)).toEqual([]);
	});

	test('can be loaded file by file in a plain Node, with the packages of n8n', () => {
		const names = code.map(([name]) => name);
		const isLoaded = "(name) => typeof require('./' + name) === 'object'";
		const loaded = inPlainNode(`return ${JSON.stringify(names)}.filter(${isLoaded});`);
		expect(loaded).toEqual(names);
	});
});

// The build leaves out a part of the library's data.
test('The built-in library reads a mobile number of every country like the complete one', () => {
	const written = Object.entries(examples).flatMap(([country, digits]) => {
		const number = parsePhoneNumber(digits, country as CountryCode);
		return [number.formatNational(), number.formatInternational(), digits].map(
			(text) => [text, country as CountryCode] as const,
		);
	});
	const read = written.map(([text, country]) => readPhone(text, country));
	const reading = inPlainNode(
		`const { readPhone } = require('./dist/nodes/CustomerMessaging/fields/mobile.js');
		return ${JSON.stringify(written)}.map((one) => readPhone(...one));`,
	);
	expect(reading).toEqual(read);
	expect(written.length).toBeGreaterThan(700);
	expect(read.filter((one) => !('number' in one))).toEqual([]);
});

// The build leaves out its tables of characters.
test('The built-in library for SMS splits like the complete one', () => {
	const plain = ['a', '€', 'ж', '\r\n', '\n', 'e\u0301', '한', '各'];
	const counts = [1, 35, 69, 70, 71, 153, 160, 161, 400];
	const texts = [...plain, '😀', '👨‍👩‍👧', '🇩🇪', '👍🏽', '1️⃣'].flatMap((character) =>
		counts.map((times) => `${character.repeat(times)}Ω.`),
	);
	const split = inPlainNode(
		`const sms = require('./dist/nodes/CustomerMessaging/fields/smsParts.js');
		return ${JSON.stringify(texts)}.map((text) => [sms.smsParts(text), sms.smsTexts(text)]);`,
	);
	const expected = texts.map((text) => [smsParts(text), smsTexts(text)]);
	expect(split).toEqual(JSON.parse(JSON.stringify(expected)));
});

describe('What must not travel', () => {
	const filledIn =
		/(api[-_]?key|access[-_]?token|password|secret)["']?\s*[:=]\s*["'](?=[^"']*\d)[\w+/=-]{12,}["']/i;
	const inPattern = repository.replace(/\W/g, '\\$&');

	test.each([
		['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
		['a key of a cloud', /\b(AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bsk_live_\w+/],
		['a token', /\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_\w{20,}|\bxox[abprs]-[\w-]{10,}/],
		['a password in an address', /https?:\/\/[^\s/:@"'`]+:[^\s/@"'`]+@/],
		['a filled-in secret', filledIn],
		["the sandbox's key", /sandbox-(key|token|brand)/],
		['a home folder', /(^|[\s"'`(])(\/home\/(?!node\/)|\/Users\/|\/root\/)\w/],
		['a source map', /sourceMappingURL=/],
		['a path of this repository, where it was built', new RegExp(inPattern)],
	])('%s', (_, pattern) => expect(found(pattern)).toEqual([]));
});
