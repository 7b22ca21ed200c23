import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** What people read in the form. The wording has tests of its own, which read it as text. */
const labels = new Set(['displayName', 'description', 'hint', 'placeholder', 'action', 'rule']);

const nameOf = (property) => property.key?.name ?? property.key?.value;

/** `name` is the label of an option, but the key of a parameter, which also has a `displayName` or a `type`. */
function isLabel(path) {
	const isProperty = path.isObjectProperty() || path.isClassProperty();
	if (isProperty && labels.has(nameOf(path.node))) return true;
	if (!path.isObjectProperty()) return false;
	const beside = path.parent.properties.map(nameOf);
	return nameOf(path.node) === 'name' && beside.includes('value') && !beside.includes('type');
}

export const strykerPlugins = [
	declareValuePlugin(PluginKind.Ignore, 'labels', {
		shouldIgnore: (path) => (isLabel(path) ? 'A label or a description' : undefined),
	}),
];
