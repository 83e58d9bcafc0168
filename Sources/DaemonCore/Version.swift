/// The version of this program, as `--version`, the status and the User-Agent tell it.
package let soteriadVersion = "0.1.0"

/// Whose data messages may carry, as the licences want it told.
package let dataSources = """
  Places: GeoNames, https://www.geonames.org/, CC BY 4.0. Names of countries: Unicode CLDR, Unicode License v3.
  Addresses of public geocoders: OpenStreetMap contributors, https://www.openstreetmap.org/copyright, ODbL 1.0.
  """
