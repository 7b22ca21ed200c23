import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Prints what became of each mutation as soon as it is known, so that a long run can be read before its end. */
class EachMutant {
	onMutantTested({ status, fileName, location: { start }, mutatorName, replacement = '' }) {
		const place = `${fileName}:${start.line}:${start.column}`;
		console.log(`${status} ${place} ${mutatorName} ${JSON.stringify(replacement.slice(0, 60))}`);
	}
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'each-mutant', EachMutant)];
