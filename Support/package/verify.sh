# Sourced by ./package.
verify() { inside "$release" lintian --allow-root --fail-on error,warning "/build/$(package_file)"; }
